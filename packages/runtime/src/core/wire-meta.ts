import type { HeaderValue } from './wire-value.js'

/** The optional companion of the budget header: for correction and analysis, never needed. */
export const metaHeader = 'request-budget-meta'

/** What a sender may say about its request; every part may be missing. */
export interface RequestMeta {
  /** When it was sent, in ms of the *sender's* wall clock. */
  readonly sentAt?: number
  /** The sending instance: 1 to 64 of letters, digits and `. _ : - / @`. */
  readonly from?: string
  /** How many hops from the journey's start, 0 … 9999. */
  readonly hop?: number
  /** Which try this is, 1 … 9999; above 1 the request is itself a retry and is not retried below. */
  readonly attempt?: number
  /** The sender makes no further try after this one. */
  readonly last?: boolean
}

const longestMeta = 256
const numberParts = { sent: 15, hop: 4, attempt: 4 } as const
const instance = /^[A-Za-z0-9._:@/-]{1,64}$/

/**
 * Reads `request-budget-meta` (`sent=1764374400000; from=gw-1; hop=2; attempt=1; last`). Never throws.
 *
 * Unknown and malformed parts are left out, a part named twice with different values too; longer than 256 characters or two
 * different headers: nothing is read.
 */
export function parseRequestMeta(value: HeaderValue): RequestMeta {
  const text = onlyText(value)
  if (text === undefined || text.length > longestMeta) return {}
  const parts = new Map<string, string | undefined>()
  for (const part of text.split(';')) {
    const [name = '', ...rest] = part.split('=')
    const key = name.trim()
    const written = rest.join('=').trim()
    parts.set(key, !parts.has(key) || parts.get(key) === written ? written : undefined)
  }
  return assemble(parts)
}

/** Writes `request-budget-meta`; parts that could not be read back are left out. Empty text: write no header. */
export function formatRequestMeta(meta: RequestMeta): string {
  const parts: string[] = []
  if (isWhole(meta.sentAt, numberParts.sent, 0)) parts.push(`sent=${Math.floor(meta.sentAt)}`)
  if (meta.from !== undefined && instance.test(meta.from)) parts.push(`from=${meta.from}`)
  if (isWhole(meta.hop, numberParts.hop, 0)) parts.push(`hop=${Math.floor(meta.hop)}`)
  if (isWhole(meta.attempt, numberParts.attempt, 1)) parts.push(`attempt=${Math.floor(meta.attempt)}`)
  if (meta.last === true) parts.push('last')
  return parts.join('; ')
}

/** Whether the request is itself a retry: `attempt` above 1. */
export function isRetryOf(meta: RequestMeta): boolean {
  return (meta.attempt ?? 1) > 1
}

function assemble(parts: ReadonlyMap<string, string | undefined>): RequestMeta {
  const sentAt = readNumber(parts.get('sent'), numberParts.sent)
  const from = parts.get('from')
  const hop = readNumber(parts.get('hop'), numberParts.hop)
  const attempt = readNumber(parts.get('attempt'), numberParts.attempt)
  return {
    ...(sentAt !== undefined && { sentAt }),
    ...(from !== undefined && instance.test(from) && { from }),
    ...(hop !== undefined && { hop }),
    ...(attempt !== undefined && attempt >= 1 && { attempt }),
    ...(parts.get('last') === '' && { last: true }),
  }
}

function readNumber(text: string | undefined, mostDigits: number): number | undefined {
  return text !== undefined && text.length <= mostDigits && /^\d+$/.test(text) ? Number(text) : undefined
}

function isWhole(value: number | undefined, mostDigits: number, least: number): value is number {
  return value !== undefined && value >= least && value < 10 ** mostDigits
}

function onlyText(value: HeaderValue): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return value.length <= 16 && value.every((text) => text === value[0]) ? value[0] : undefined
}
