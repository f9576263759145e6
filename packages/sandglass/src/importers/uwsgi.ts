import type { Source } from '../model/sourced.js'
import { type FactsDraft, type Importer, newFacts, type Owner } from './facts.js'
import { addressesOf } from './gunicorn-settings.js'
import { processService } from './process-service.js'
import { withoutTemplateEnding } from './template-ending.js'
import { uwsgiFacts, uwsgiOptions } from './uwsgi-settings.js'

/** uWSGI's INI files. */
export const uwsgi: Importer = {
  format: 'uwsgi',
  accepts: ({ file, text }) => withoutTemplateEnding(file).endsWith('.ini') && /^[ \t]*\[uwsgi\]/m.test(text),
  read(sources, { ownerOf }) {
    const draft = newFacts()
    for (const source of sources) readFile(source, ownerOf(source.file), draft)
    return draft
  },
}

function readFile(source: Source, owner: Owner | null, draft: FactsDraft): void {
  const options = uwsgiOptions(source)
  const at = { source, start: 0, end: 1 }
  const facts = uwsgiFacts((name) => options.get(name), { draft, version: null, at })
  draft.services.push(processService({ name: 'uwsgi', source, owner, at, facts, addresses: addressesOf(facts.listens ?? []) }))
}
