import { coversVersion } from '../../model/default-of.js'
import type { Attempts } from '../limits/reading.js'
import { attemptsOf, doublingMs } from './attempts-of.js'
import type { Site } from './library-model.js'

/** How often a client of AWS tries; those of DynamoDB try once more with the newer `@smithy/core`, whose waits are shorter. */
export function awsAttempts(site: Site): Attempts | null | 'unknown' {
  const core = coreOf(site)
  const isDynamo = site.client?.kind === 'document' || (site.client?.madeBy.startsWith('DynamoDB') ?? false)
  const isNew = core !== null && coversVersion(`>=${CORE_TRIES_MORE}`, core)
  const baseMs = isNew ? (isDynamo ? 25 : 50) : 100
  return attemptsOf(isDynamo ? { ...site, version: core } : site, {
    settings: ['maxAttempts'],
    includesFirst: true,
    default: [isDynamo ? 'aws-sdk-js v3 / dynamodb' : 'aws-sdk-js v3', 'maxAttempts'],
    waitMs: (retries) => [0, doublingMs(retries, baseMs, 20_000)[1]],
  })
}

/** The version of `@smithy/core` that counts, as a lockfile has it or as that of the client says; null where nobody knows. */
function coreOf({ version, at, evaluator }: Site): string | null {
  if (version !== null && coversVersion(`<${CLIENT_ASKS_CORE}`, version)) return '3.0.0'
  const installed = evaluator.project.versionOf('@smithy/core', at.module.source.file)
  if (installed !== null || version === null) return installed
  return coversVersion(`>=${CLIENT_TRIES_MORE}`, version) ? CORE_TRIES_MORE : null
}

/** The first `@smithy/core` that has the retries of 2026 switched on. */
const CORE_TRIES_MORE = '3.40.0'
/** The first clients that need such a core, `^3.40.0`. */
const CLIENT_TRIES_MORE = '3.1166.0'
/** The first clients that look at what that says. */
const CLIENT_ASKS_CORE = '3.1059.0'
