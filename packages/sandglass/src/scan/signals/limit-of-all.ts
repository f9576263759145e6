import type { Reading } from '../limits/reading.js'

/** What to write for one limit over all attempts of a client: the signal as its library names it, or something around the call where it takes none. */
export function limitOfAll({ overAll, overall }: Pick<Reading, 'overAll' | 'overall'>): string {
  if (overAll !== undefined) return overAll
  return overall?.state === 'none' ? `${signalText(overall.name)} in each call` : 'around the call'
}

/** `signal: …`, or as deep as it stands: `request.signal` is `request: { signal: … }`. */
function signalText(path: string): string {
  const [last, ...outer] = path.split('.').reverse()
  if (last === 'cancelToken') return 'cancelToken: source.token, with setTimeout(source.cancel, …)'
  return outer.reduce((inner, name) => `${name}: { ${inner} }`, `${last}: AbortSignal.timeout(…)`)
}
