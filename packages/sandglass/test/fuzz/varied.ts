const durations = ['0ms', '1ms', '50ms', '700ms', '1s', '1.45s', '3s', '29s', '30s', '300s', '9999999999ms', 'none', 'unknown'] as const
const counts = ['1', '2', '3', '10', '1000000', 'none', 'unknown'] as const
const extras = [
  'attempts: 3',
  'attempt: 1s',
  'attempts: none',
  'queue: 100ms',
  'queue: { perAttempt: 2s }',
  'connect: 1s',
  'silence: 2s',
  'async: true',
  'optional: true',
  'share: 5%',
  'share: 0%',
  'deadline: propagate',
  'cancel: reaches',
  'backoff: { base: 1s, factor: 9 }',
  'backoff: [25ms, 75ms]',
  'retryBudget: default',
  'retryBudget: 10%',
  'retryOn: [5xx, "503"]',
  'breaker: { window: 10, minCalls: 2 }',
  'breaker: { consecutive: 5 }',
  'bulkhead: 5',
  'hedge: { after: 1ms }',
  'fallback: { tier: snapshot, maxAge: 1m }',
  'fallback: [{ tier: empty }, { tier: defer }]',
  'reserve: 5s',
  'floor: 2s',
  'network: 4s',
  'basis: "p99 x 2"',
] as const

/** The text with one to six values changed for others of their kind, so that it mostly stays a chain: durations, counts, targets, fields of calls. */
export function varied(text: string, random: () => number): string {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const replaced = (now: string, pattern: RegExp, by: () => string | undefined): string => {
    const found = pick([...now.matchAll(pattern)])
    return found ? now.slice(0, found.index) + (by() ?? found[0]) + now.slice(found.index + found[0].length) : now
  }
  let now = text
  for (let times = 1 + Math.floor(random() * 6); times > 0; times--) {
    const chance = random()
    if (chance < 0.4) now = replaced(now, /\b\d+(\.\d+)?(ms|s|m)\b/g, () => pick(durations))
    else if (chance < 0.55) now = replaced(now, /(?<=: )\d+\b(?![.\w%/])/g, () => pick(counts))
    else if (chance < 0.7)
      now = replaced(now, /\b[a-z][\w-]*\.[a-z][\w-]*\b/g, () => pick([...now.matchAll(/\b[a-z][\w-]*\.[a-z][\w-]*\b/g)])?.[0])
    else if (chance < 0.9)
      now = replaced(
        now,
        /\{ to: [\w.-]+(?=[, ])/g,
        () => `${pick([...now.matchAll(/\{ to: [\w.-]+(?=[, ])/g)])?.[0] ?? '{ to: a.b'}, ${pick(extras)}`,
      )
    else
      now = replaced(now, /\b(read|write|external-effect|idempotent-write|propagate|ignore|full)\b/g, () =>
        pick(['read', 'write', 'manual', 'external-effect', 'compensation', 'propagate', 'none']),
      )
  }
  return now
}
