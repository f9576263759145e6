import type { Source } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft, type Importer, newFacts, type Surroundings } from './facts.js'
import { rulesIn } from './sentinel-rules.js'
import { isSpringSettings } from './spring-modules.js'

/**
 * Rules of Sentinel that lie in files. Those that a setting of Spring points to are read with its application; of the others it is said that
 * nothing loads them.
 */
export const sentinel: Importer = {
  format: 'sentinel',
  accepts: ({ text }) =>
    (/^\s*\[/.test(text) && /"resource"\s*:/.test(text) && /"(grade|count|timeWindow|controlBehavior|limitApp)"\s*:/.test(text)) ||
    /<(Flow|Degrade)Rule>/.test(text),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources.filter(({ file }) => !surroundings.isPointedTo(file))) readUnused(source, surroundings, draft)
    return draft
  },
}

function readUnused(source: Source, { all }: Surroundings, draft: FactsDraft): void {
  const rules = rulesIn(source, draft)
  const [first] = rules
  if (!first) return
  const name = source.file.slice(source.file.lastIndexOf('/') + 1)
  const isLoadedByCode = all.some(
    ({ file, text }) => file.endsWith('.java') && (text.includes(name) || text.includes('FileRefreshableDataSource')),
  )
  if (isLoadedByCode || !all.some(isSpringSettings)) {
    addNote(draft, 'unknown', first.spot, 'which service loads these rules is in no settings that were read; they are not in the chain')
    return
  }
  addDead(draft, {
    setting: 'rules of Sentinel',
    written: `${rules.length} in ${name}`,
    spot: first.spot,
    because: 'no spring.cloud.sentinel.datasource points to this file',
    effective: 'no rule',
  })
}
