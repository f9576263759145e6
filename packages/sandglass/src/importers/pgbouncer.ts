import type { Source } from '../model/sourced.js'
import { addNote, type FactsDraft, type Importer, newFacts, type Surroundings } from './facts.js'
import { type IniDialect, type IniEntry, readIni } from './ini-lines.js'
import type { Written } from './limit-fact.js'
import { type PooledDatabase, pgbouncerFacts } from './pgbouncer-settings.js'
import { nameOf, targetOf } from './target.js'
import { withoutTemplateEnding } from './template-ending.js'

/** `;` and `#` begin a comment at the start of a line alone. */
const DIALECT: IniDialect = { comments: ';#', inline: '', quotes: false }

/** `pgbouncer.ini`: a proxy between the pools of applications and PostgreSQL. */
export const pgbouncer: Importer = {
  format: 'pgbouncer',
  accepts: ({ file, text }) => /\.(ini|conf)$/.test(withoutTemplateEnding(file)) && /^[ \t]*\[pgbouncer\]/m.test(text),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources) readFile(source, sources.length === 1, surroundings, draft)
    return draft
  },
}

function readFile(source: Source, isOnly: boolean, { ownerOf }: Surroundings, draft: FactsDraft): void {
  const owner = ownerOf(source.file)
  const entries = readIni(source, DIALECT)
  for (const { spot } of entries.filter(({ key }) => key.startsWith('%include')))
    addNote(draft, 'unknown', spot, '%include: what it sets is not read')
  const settings = new Map(entries.filter(({ section }) => section === 'pgbouncer').map(({ key, value }) => [key.toLowerCase(), value]))
  const databases = entries.filter(({ section }) => section === 'databases').map(databaseOf)
  const at = entries.find(({ section }) => section === 'pgbouncer')?.spot ?? { source, start: 0, end: 1 }
  const port = settings.get('listen_port')?.text ?? ''
  const facts = pgbouncerFacts({ draft, version: owner?.version ?? null, get: (name) => settings.get(name), at, databases })
  draft.services.push({
    name: owner?.name ?? (isOnly ? 'pgbouncer' : nameOf(source.file.replace(/\.\w+$/, ''))),
    spot: at,
    kind: 'proxy',
    product: 'pgbouncer',
    hosts: [],
    ports: [Number(/^\d{1,5}$/.test(port) ? port : STANDARD_PORT)],
    intercepts: [],
    ...(owner ? {} : { anywhere: true as const }),
    ...facts,
  })
}

const STANDARD_PORT = '6432'

/** `shop = host=db port=5432 dbname=shop pool_size=10`; without a host it is a socket of the machine itself. */
function databaseOf({ key, value, spot }: IniEntry): PooledDatabase {
  const parameters = new Map<string, Written>()
  for (const found of value.text.matchAll(/([A-Za-z_]\w{0,60})[ \t]*=[ \t]*(?:'([^']{0,300})'|([^\s']{1,300}))/g)) {
    const [whole, name = '', quoted, plain] = found
    const text = quoted ?? plain ?? ''
    const end = value.spot.start + found.index + whole.length - (quoted === undefined ? 0 : 1)
    parameters.set(name.toLowerCase(), {
      text,
      spot: { source: value.spot.source, start: end - text.length, end: Math.max(end, end - text.length + 1) },
    })
  }
  const host = parameters.get('host')
  const port = parameters.get('port')?.text ?? POSTGRES_PORT
  const name = key.replace(/^"(.*)"$/, '$1')
  const database = parameters.get('dbname')?.text ?? (name === '*' ? '' : name)
  const first = (host?.text ?? 'localhost').split(',')[0] ?? 'localhost'
  const address = first.startsWith('/') || first.startsWith('@') ? 'localhost' : first
  const user = parameters.get('user')?.text
  return {
    name,
    spot,
    target: {
      ...targetOf(`${address}:${port}${database === '' ? '' : `/${database}`}`, host?.spot ?? spot),
      kind: 'database',
      ...(user === undefined ? {} : { user }),
    },
    poolSize: parameters.get('pool_size'),
    reserve: parameters.get('reserve_pool') ?? parameters.get('reserve_pool_size'),
    mode: parameters.get('pool_mode'),
    most: parameters.get('max_db_connections'),
  }
}

const POSTGRES_PORT = '5432'
