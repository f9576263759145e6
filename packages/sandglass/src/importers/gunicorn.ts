import type { Source } from '../model/sourced.js'
import { type FactsDraft, type Importer, newFacts, type Surroundings } from './facts.js'
import { addressesOf, gunicornFacts } from './gunicorn-settings.js'
import { processService } from './process-service.js'
import { readAssignments } from './python-assignments.js'
import { withoutTemplateEnding } from './template-ending.js'

/** gunicorn's config file, which is Python. */
export const gunicorn: Importer = {
  format: 'gunicorn',
  accepts: ({ file }) => /(^|\/)gunicorn[\w.-]*\.py$/.test(withoutTemplateEnding(file)),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources) readFile(source, surroundings, draft)
    return draft
  },
}

function readFile(source: Source, { ownerOf, environments }: Surroundings, draft: FactsDraft): void {
  const owner = ownerOf(source.file)
  const workers = owner ? environments.get(owner.name.toLowerCase())?.get('WEB_CONCURRENCY') : undefined
  const settings = new Map([...(workers ? [['workers', workers] as const] : []), ...readAssignments(source, draft)])
  const at = { source, start: 0, end: 1 }
  const facts = gunicornFacts(settings, { draft, version: null, at })
  draft.services.push(processService({ name: 'gunicorn', source, owner, at, facts, addresses: addressesOf(facts.listens ?? []) }))
}
