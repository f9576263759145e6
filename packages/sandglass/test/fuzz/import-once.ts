import { allImporters } from '../../src/importers/all-importers.js'
import { importSources } from '../../src/importers/import-sources.js'
import { surroundingsOf } from '../../src/importers/surroundings.js'
import { linkChain } from '../../src/model/link.js'
import { readChainText } from '../../src/model/read-chain.js'
import type { Source } from '../../src/model/sourced.js'
import { checkChain } from '../../src/report/check-chain.js'
import { importJson } from '../../src/report/import-json.js'
import { importYaml } from '../../src/report/import-yaml.js'
import { textReport } from '../../src/report/text.js'
import { allRules } from '../../src/rules/all-rules.js'
import { mustBePrintable } from './fuzz-once.js'

/** What became of the texts: nothing in them was understood, or they made a chain. */
export type ImportOutcome = 'nothing' | 'imported'

/** Imports texts as the command does, and everything after it; also reads them as `format` where their look says that they are not. Throws on any fault. */
export function importOnce(format: string, sources: readonly Source[]): ImportOutcome {
  const imported = importSources(sources)
  const importer = allImporters.find((each) => each.format === format)
  if (!imported.read.some((read) => read.format === format)) importer?.read(sources, surroundingsOf(sources, []))
  const { chain, problems } = linkChain([imported.file])
  if (problems[0]) throw new Error(`the imported chain is refused: ${problems[0].message}`)
  if (imported.file.services.length === 0) return 'nothing'
  JSON.parse(importJson(imported))
  const written = importYaml(imported, 'chain.schema.json')
  const [problem] = readChainText(written).problems
  if (problem) throw new Error(`the imported chain cannot be read back: ${problem.message}`)
  const report = textReport(checkChain(chain, allRules, { sources }).report)
  if (!sources.some(({ text }) => /NaN|undefined|\[object /.test(text))) mustBePrintable(report)
  return 'imported'
}
