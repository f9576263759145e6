import { importSources } from '../src/importers/import-sources.js'
import { linkChain } from '../src/model/link.js'
import { placeOf } from '../src/model/sourced.js'
import { checkChain } from '../src/rules/check-chain.js'

/** What `check` reports of a folder of configs, by rule; each finding with its severity, its place and its sum. Throws where the chain has problems. */
export function found(files: Readonly<Record<string, string>>, rule: string): readonly string[] {
  const { chain, problems } = linkChain([importSources(Object.entries(files).map(([file, text]) => ({ file, text }))).file])
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  return checkChain(chain)
    .diagnostics.filter((each) => each.rule === rule)
    .map(({ severity, arithmetic, message, spot }) => {
      const { file, line } = placeOf(spot)
      return `${severity} ${file}:${line} ${rule === 'dead-setting' ? `${message}; ${arithmetic}` : arithmetic}`
    })
}
