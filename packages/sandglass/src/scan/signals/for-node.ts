import { coversVersion } from '../../model/default-of.js'

/** The advice of a finding as the Node that runs the code can follow it: `AbortSignal.timeout` came with 16.14 and 17.3, `AbortSignal.any` with 18.17 and 20.3. */
export function forNode(advice: string, version: string | null): string {
  if (version === null) return advice
  return withoutAny(withoutTimeout(advice, version), version)
}

const TIMEOUT = /AbortSignal\.timeout\((…|\d+)\)/
const BESIDE = ', or use AbortSignal.timeout, which holds nothing up'

function withoutTimeout(advice: string, version: string): string {
  const ms = TIMEOUT.exec(advice)?.[1]
  if (hasTimeout(version)) return advice
  if (ms === undefined) return advice.replace(BESIDE, '')
  const text = advice.replace(new RegExp(TIMEOUT, 'g'), 'limit.signal')
  return `${text}, with const limit = new AbortController()${originOf(version)} and setTimeout(() => limit.abort(), ${ms}), cleared after the call: Node ${version} has no AbortSignal.timeout`
}

function withoutAny(advice: string, version: string): string {
  if (!advice.includes('AbortSignal.any([signal, limit.signal]) with') || hasAny(version)) return advice
  const text = advice.replace(
    'AbortSignal.any([signal, limit.signal]) with',
    "limit.signal with signal?.addEventListener('abort', () => limit.abort()),",
  )
  return `${text.replace('new AbortController()', `new AbortController()${originOf(version)}`)}: Node ${version} has no AbortSignal.any`
}

/** True where a Node has `AbortSignal.timeout`. */
export function hasTimeout(version: string): boolean {
  return coversVersion('>=16.14 <17', version) || coversVersion('>=17.3', version)
}

function hasAny(version: string): boolean {
  return coversVersion('>=18.17 <19', version) || coversVersion('>=20.3', version)
}

function originOf(version: string): string {
  const isThere = coversVersion('>=14.17 <15', version) || coversVersion('>=15', version)
  return isThere ? '' : ' (of the package abort-controller)'
}
