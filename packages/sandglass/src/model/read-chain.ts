import { readChainFile } from './chain-file.js'
import { type HistogramText, type Linked, linkChain } from './link.js'
import type { Source } from './sourced.js'

/** Reads texts that are already in memory as one chain; `include` is the caller's affair. */
export function readChain(sources: readonly Source[], histogramText?: HistogramText): Linked {
  return linkChain(sources.map(readChainFile), histogramText)
}

/** Reads one text as a chain; `file` is the name in messages. */
export function readChainText(text: string, file = 'sandglass.yaml'): Linked {
  return readChain([{ file, text }])
}
