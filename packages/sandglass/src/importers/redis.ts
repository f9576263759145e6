import type { Source } from '../model/sourced.js'
import { addNote, type FactsDraft, type Importer, newFacts, type Surroundings } from './facts.js'
import type { Written } from './limit-fact.js'
import { redisFacts } from './redis-settings.js'
import { nameOf } from './target.js'
import { withoutTemplateEnding } from './template-ending.js'
import { maskTemplates, withoutTemplates } from './templates.js'

const TOLD = /^[ \t]*(maxmemory|maxclients|appendonly|appendfsync|tcp-keepalive|tcp-backlog|protected-mode|maxmemory-policy)[ \t]+\S/im

/** `redis.conf`. */
export const redis: Importer = {
  format: 'redis',
  accepts: ({ file, text }) =>
    withoutTemplateEnding(file).endsWith('.conf') &&
    !/[{};][ \t]*$|^[ \t]*(\[|sentinel[ \t]+monitor)/m.test(withoutTemplates(text)) &&
    (/(^|\/)(redis|valkey)[\w.-]*\.conf$/.test(withoutTemplateEnding(file)) || TOLD.test(text)),
  read(sources, surroundings) {
    const draft = newFacts()
    const unowned = sources.filter(({ file }) => surroundings.ownerOf(file) === null)
    for (const source of sources) readFile(source, unowned.length === 1, surroundings, draft)
    return draft
  },
}

function readFile(source: Source, isOnly: boolean, surroundings: Surroundings, draft: FactsDraft): void {
  const owner = surroundings.ownerOf(source.file)
  const settings = new Map<string, Written>()
  take(source, { surroundings, draft, settings, left: MAX_INCLUDED }, 0)
  const at = { source, start: 0, end: 1 }
  const port = settings.get('port')?.text ?? ''
  const { concurrency, idleMs } = redisFacts({ draft, version: owner?.version ?? null, get: (name) => settings.get(name), at })
  draft.services.push({
    name: owner?.name ?? (isOnly ? 'redis' : nameOf(source.file.replace(/\.conf$/, ''))),
    spot: at,
    kind: 'cache',
    product: 'redis',
    hosts: [],
    ports: [Number(/^[1-9]\d{0,4}$/.test(port) ? port : STANDARD_PORT)],
    intercepts: [],
    ...(owner ? {} : { anywhere: true as const }),
    concurrency,
    ...(idleMs ? { keepAlive: { spot: idleMs.origin.spot, idleMs } } : {}),
    operations: [{ name: 'get', spot: at, path: null, hops: [] }],
  })
}

const STANDARD_PORT = '6379'
const MAX_LINES = 50_000
const MAX_DEPTH = 10
/** Files that include each other a few times would be millions. */
const MAX_INCLUDED = 1000

interface Reading {
  readonly surroundings: Surroundings
  readonly draft: FactsDraft
  readonly settings: Map<string, Written>
  /** So many more files may be included. */
  left: number
}

/** `name value` lines, names in any case; what comes later holds, an `include` where it stands. */
function take(source: Source, reading: Reading, depth: number): void {
  let start = 0
  for (const line of maskTemplates(source.text).split('\n', MAX_LINES)) {
    const found = /^([ \t]*)([A-Za-z][\w-]*)([ \t]+)(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))/.exec(line)
    if (found) {
      const [, lead = '', name = '', gap = '', double, single, plain] = found
      const text = double ?? single ?? plain ?? ''
      const from = start + lead.length + name.length + gap.length + (plain === undefined ? 1 : 0)
      takeSetting(name.toLowerCase(), { text, spot: { source, start: from, end: from + Math.max(1, text.length) } }, reading, depth)
    }
    start += line.length + 1
  }
}

function takeSetting(name: string, value: Written, reading: Reading, depth: number): void {
  if (name !== 'include') {
    reading.settings.set(name, value)
    return
  }
  const { source } = value.spot
  const files = depth < MAX_DEPTH ? reading.surroundings.filesLike(value.text, source.file).filter((file) => file !== source) : []
  if (files.length === 0)
    addNote(reading.draft, 'unknown', value.spot, `include ${value.text}: no such file among those that are read; what it sets is unknown`)
  for (const file of files) if (reading.left-- > 0) take(file, reading, depth + 1)
}
