/** One text that was read, and where its lines start. */
export interface Source {
  readonly file: string
  readonly text: string
  /** A config that was imported: no chain file, so that nothing is written into it. */
  readonly isConfig?: true
  /** Source code that was scanned. */
  readonly isCode?: true
}

/** A stretch of a source, in offsets: cheap to keep for every value; {@link placeOf} turns it into lines. */
export interface Spot {
  readonly source: Source
  readonly start: number
  readonly end: number
}

/** Where something stands, counted from 1 as editors do; `endColumn` is exclusive and on the same line. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endColumn: number
}

/** Where a value comes from: written, a product's default (`spot` is where it is missing), or learnt from traces. */
export type Origin =
  | { readonly kind: 'declared'; readonly spot: Spot }
  | {
      readonly kind: 'default'
      readonly product: string
      readonly version: string | null
      readonly spot: Spot
      /** The product's own name of what is not written, e.g. `proxy_read_timeout`. */
      readonly setting?: string
    }
  | { readonly kind: 'inferred'; readonly from: string; readonly spot: Spot }

/** A value that cannot exist without its origin. `fixed` marks a limit that a platform sets and nobody here can change. */
export interface Sourced<T> {
  readonly value: T
  readonly origin: Origin
  readonly fixed?: true
  /** How several settings make it, for people: `(5 + 10) x 4 workers`. */
  readonly worked?: string
}

/** A value written at `spot`. */
export function declared<T>(value: T, spot: Spot): Sourced<T> {
  return { value, origin: { kind: 'declared', spot } }
}

/** A value that holds because nothing is written at `spot`. */
export function byDefault<T>(value: T, spot: Spot, product = 'sandglass', version: string | null = '1'): Sourced<T> {
  return { value, origin: { kind: 'default', product, version, spot } }
}

/** One origin for every default of a thing: what is absent at one spot shares it. */
export function defaultsAt(spot: Spot, product = 'sandglass', version: string | null = '1'): Origin {
  return { kind: 'default', product, version, spot }
}

const lineStartsOf = new WeakMap<Source, number[]>()

/** The offsets at which the lines of a source start. */
function lineStarts(source: Source): number[] {
  const known = lineStartsOf.get(source)
  if (known) return known
  const starts = [0]
  for (let i = source.text.indexOf('\n'); i >= 0; i = source.text.indexOf('\n', i + 1)) starts.push(i + 1)
  lineStartsOf.set(source, starts)
  return starts
}

/** The line and columns of a spot; a spot over several lines ends with its first. */
export function placeOf(spot: Spot): Place {
  const starts = lineStarts(spot.source)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= spot.start) low = middle
    else high = middle - 1
  }
  const lineStart = starts[low] ?? 0
  const lineEnd = starts[low + 1] === undefined ? spot.source.text.length : (starts[low + 1] ?? 1) - 1
  const end = Math.min(Math.max(spot.end, spot.start + 1), Math.max(lineEnd, spot.start + 1))
  return { file: spot.source.file, line: low + 1, column: spot.start - lineStart + 1, endColumn: end - lineStart + 1 }
}

/** The text of one line of a source, counted from 1, without its end. */
export function lineText(source: Source, line: number): string {
  const starts = lineStarts(source)
  const start = starts[line - 1]
  if (start === undefined) return ''
  const next = starts[line]
  return source.text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, '')
}
