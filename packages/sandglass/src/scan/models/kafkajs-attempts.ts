import { defaultCount, defaultMs, defaultOf } from '../../model/default-of.js'
import type { Attempts } from '../limits/reading.js'
import { type Setting, settingOfCall } from '../limits/settings.js'
import type { Site } from './library-model.js'

/** More attempts than this are as good as no end. */
const MANY = 1000

/** How often a producer of kafkajs tries, and how long it waits between: each wait twice the one before, both give or take a share. */
export function kafkajsAttempts(site: Site): Attempts | 'unknown' {
  const setting = (name: string): Setting => settingOfCall(undefined, site.client, `retry.${name}`, site.evaluator).setting
  const retries = setting('retries')
  const numbers = ['initialRetryTime', 'maxRetryTime', 'factor', 'multiplier'].map((name) => numberOr(setting(name), name, site))
  const [firstMs, mostMs, share, times] = numbers
  const count = retries.state === 'absent' ? defaultRetries(site) : retries.state === 'given' ? Number(retries.value) : null
  if (count === null || Number.isNaN(count) || firstMs == null || mostMs == null || share == null || times == null) return 'unknown'
  const isDefault = retries.state === 'absent'
  const spot = retries.state === 'given' ? retries.spot : (site.client?.spot ?? site.spot)
  const common = { name: 'retry.retries', spot, isDefault }
  if (count > MANY) return { count: null, waitMs: [0, 0], ...common }
  const least = sumOfWaits(count, firstMs * (1 - share), (ms) => Math.min(Math.ceil(ms * (1 - share)) * times, mostMs))
  const most = sumOfWaits(count, firstMs * (1 + share), (ms) => Math.min(Math.ceil(ms * (1 + share)) * times, mostMs))
  return { count: count + 1, waitMs: [least, most], ...common }
}

function sumOfWaits(count: number, firstMs: number, next: (ms: number) => number): number {
  let [sum, ms] = [0, Math.ceil(rounded(firstMs))]
  for (let k = 0; k < count; k++) {
    sum += ms
    ms = rounded(next(rounded(ms)))
  }
  return sum
}

/** Without the traces of binary fractions: `100 * 1.2` is 120. */
const rounded = (ms: number) => Number(ms.toFixed(6))

function defaultRetries({ version }: Site): number | null {
  const found = defaultOf('kafkajs', 'retry.retries', version)
  return found.kind === 'known' ? defaultCount(found.row) : null
}

function numberOr(setting: Setting, name: string, { version }: Site): number | null {
  if (setting.state === 'given') return typeof setting.value === 'number' ? setting.value : null
  if (setting.state !== 'absent') return null
  const found = defaultOf('kafkajs', `retry.${name}`, version)
  if (found.kind !== 'known') return null
  const ms = defaultMs(found.row)
  return typeof ms === 'number' ? ms : Number(found.row.text)
}
