import { linkChain } from '../model/link.js'
import { placeOf } from '../model/sourced.js'
import { importSources } from './import-sources.js'

/** What comes of importing texts by their paths, as tests ask for it. Throws where the chain has problems. */
export function imported(files: Readonly<Record<string, string>>) {
  const { file, notes, read } = importSources(Object.entries(files).map(([name, text]) => ({ file: name, text })))
  const { chain, problems } = linkChain([file])
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  return {
    chain,
    formats: Object.fromEntries(read.map((each) => [each.file, each.format])),
    edges: chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`),
    notes: notes.map(({ kind, text }) => `${kind}: ${text}`),
    dead: (file.deadSettings ?? []).map(({ setting, written, effective, spot }) => ({
      setting,
      written,
      effective,
      line: placeOf(spot).line,
    })),
    service: (name: string) => chain.services.get(name),
    operation: (id: string) => chain.operations.get(id),
    call: (edge: string) => chain.calls.find(({ from, to }) => `${from.id} -> ${to.value}` === edge),
  }
}
