/** A source of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What a chain file is made of, and what has no place in one. */
const pieces = [
  '0ms',
  '1s',
  '29s',
  '0',
  '-1s',
  '1e9s',
  '9999999999ms',
  '999999999999s',
  'none',
  'unknown',
  'true',
  'null',
  '~',
  '[]',
  '{}',
  '""',
  "'",
  '"',
  '*a',
  '&a ',
  '<<: *a',
  '100%',
  '0%',
  '3000/s',
  '0/s',
  'attempts: 3',
  'attempts: 0',
  'attempts: 99999999',
  'attempt: 1s',
  'timeout: none',
  'async: true',
  'optional: true',
  'share: 5%',
  'deadline: propagate',
  'backoff: { base: 1s, factor: 9 }',
  'retryBudget: default',
  'breaker: { window: 10 }',
  'hedge: { after: 1ms }',
  'fallback: { tier: empty }',
  'stream: {}',
  'kind: database',
  'chainStop: true',
  'limits: { request: 1s }',
  'latency: { constant: 1ms }',
  'latency: { p50: 9s, p99: 1ms }',
  'calls: []',
  'parallel: []',
  '\u001b[31m',
  '\u0000',
  '\ufeff',
  '\u202e',
  '超时',
  '😀',
  '|',
  '>',
  '"><script>',
  '# sandglass-ignore inverted',
  '# sandglass-ignore inverted: x',
  '__proto__',
  'constructor',
  'toString',
  'a.b.c',
  '.',
  '\t',
  '\r\n',
  '%',
  '::',
  ',',
] as const

/** The text with one to eight places changed: tokens replaced, doubled, dropped, lines moved, names swapped. */
export function mutated(text: string, random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  let now = text
  for (let times = 1 + Math.floor(random() * 8); times > 0; times--) {
    const at = Math.floor(random() * (now.length + 1))
    const end = Math.min(now.length, at + Math.floor(random() * 12))
    const tokens = [...now.matchAll(/[\w.%/-]+/g)]
    const lines = now.split('\n')
    switch (Math.floor(random() * 7)) {
      case 0:
        now = now.slice(0, at) + pick(pieces) + now.slice(end)
        break
      case 1:
        now = now.slice(0, at) + now.slice(end)
        break
      case 2:
        now = now.slice(0, at) + now.slice(at, end).repeat(1 + Math.floor(random() * 40)) + now.slice(end)
        break
      case 3: {
        const token = pick(tokens)
        const other = random() < 0.5 ? pick(pieces) : (pick(tokens)?.[0] ?? '')
        if (token) now = now.slice(0, token.index) + other + now.slice(token.index + token[0].length)
        break
      }
      case 4:
        lines.splice(Math.floor(random() * lines.length), 1)
        now = lines.join('\n')
        break
      case 5:
        lines.splice(Math.floor(random() * lines.length), 0, pick(lines))
        now = lines.join('\n')
        break
      default: {
        const line = Math.floor(random() * lines.length)
        lines[line] = `${' '.repeat(Math.floor(random() * 8))}${(lines[line] ?? '').trimStart()}`
        now = lines.join('\n')
      }
    }
  }
  return now
}
