import type { Source } from '../model/sourced.js'
import { type FactsDraft, type Importer, newFacts, type Owner } from './facts.js'
import { type IniDialect, type IniEntry, readIni } from './ini-lines.js'
import type { Written } from './limit-fact.js'
import { mysqlFacts } from './mysql-settings.js'
import { nameOf } from './target.js'
import { withoutTemplateEnding } from './template-ending.js'

const DIALECT: IniDialect = { comments: '#;!', inline: '#', quotes: true }
/** What the server reads; `[client]` and `[mysqldump]` are read by programs. */
const SERVER = /^(mysqld|server|mariadb|mariadbd|mysqld-\d[\d.]*|mariadb-\d[\d.]*|mysqld_safe)$/

/** `my.cnf` and the files of its folders. */
export const mysql: Importer = {
  format: 'mysql',
  accepts: ({ file, text }) =>
    /\.(cnf|ini)$/.test(withoutTemplateEnding(file)) && /^[ \t]*\[(mysqld|mariadbd?|mysqld-\d[\d.]*|mariadb-\d[\d.]*)\]/m.test(text),
  read(sources, { ownerOf }) {
    const draft = newFacts()
    const servers = new Map<string, { owner: Owner | null; files: Source[] }>()
    for (const source of sources) {
      const owner = ownerOf(source.file)
      const key = owner?.name ?? baseFolder(source)
      const server = servers.get(key) ?? { owner, files: [] }
      server.files.push(source)
      servers.set(key, server)
    }
    for (const [key, { owner, files }] of servers)
      readServer(owner?.name ?? (servers.size === 1 ? 'mysql' : nameOf(`mysql-${key}`)), owner, files, draft)
    return draft
  },
}

/** `conf.d` and its like belong to the folder above. */
function baseFolder({ file }: Source): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/'))).replace(/(^|\/)(conf\.d|(mysql|mariadb)\.conf\.d)$/, '')
}

/** `my.cnf` comes first and includes the others, in the order of their names. */
function order({ file }: Source): string {
  return `${/(^|\/)(my|mariadb)\.(cnf|ini)$/.test(file) ? 0 : 1}${file}`
}

function readServer(name: string, owner: Owner | null, files: readonly Source[], draft: FactsDraft): void {
  const sorted = files.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  const entries = sorted.flatMap((file) => readIni(file, DIALECT)).filter(({ section }) => SERVER.test(section))
  const variables = new Map<string, Written>()
  for (const { key, value } of entries)
    variables.set(
      key
        .toLowerCase()
        .replaceAll('-', '_')
        .replace(/^loose_/, ''),
      value,
    )
  const [first] = entries
  if (!first) return
  const get = (key: string) => variables.get(key)
  const port = get('port')?.text ?? ''
  const facts = mysqlFacts({ draft, system: systemOf(owner, entries, files), version: owner?.version ?? null, get, at: first.spot })
  draft.services.push({
    name,
    spot: first.spot,
    kind: 'database',
    product: 'mysql',
    hosts: [],
    ports: [Number(/^\d{1,5}$/.test(port) ? port : STANDARD_PORT)],
    intercepts: [],
    ...(owner ? {} : { anywhere: true as const }),
    concurrency: facts.concurrency,
    ...(facts.idleMs ? { keepAlive: { spot: facts.idleMs.origin.spot, idleMs: facts.idleMs } } : {}),
    operations: [{ name: 'query', spot: first.spot, path: null, hops: [], ...(facts.limits ? { limits: facts.limits } : {}) }],
  })
}

const STANDARD_PORT = '3306'

/** Which of the two it is: the image says, else a section or a name that only one of them has. */
function systemOf(owner: Owner | null, entries: readonly IniEntry[], files: readonly Source[]): 'mysql' | 'mariadb' | null {
  const image = owner?.image ?? ''
  if (/mariadb/.test(image)) return 'mariadb'
  if (/mysql|percona/.test(image)) return 'mysql'
  const isMariadb = entries.some(({ section }) => section.startsWith('mariadb')) || files.some(({ file }) => /mariadb/.test(file))
  return isMariadb ? 'mariadb' : null
}
