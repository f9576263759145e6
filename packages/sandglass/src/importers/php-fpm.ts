import type { LimitMs } from '../model/chain.js'
import type { Source, Sourced } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft, type Importer, newFacts, type Owner, type ServiceFact } from './facts.js'
import { addressesOf } from './gunicorn-settings.js'
import { type IniDialect, type IniEntry, readIni } from './ini-lines.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'
import { folderName } from './process-service.js'
import { nameOf, socketHost } from './target.js'
import { withoutTemplateEnding } from './template-ending.js'
import { templateIn } from './templates.js'

const DIALECT: IniDialect = { comments: ';', inline: ';', quotes: true }

/** Pools of php-fpm (`www.conf` and its like). */
export const phpFpm: Importer = {
  format: 'php-fpm',
  accepts: ({ file, text }) =>
    /\.(conf|ini)$/.test(withoutTemplateEnding(file)) &&
    /^[ \t]*(pm|pm\.max_children|request_terminate_timeout)[ \t]*=/m.test(text) &&
    /^[ \t]*\[[\w$.-]+\]/m.test(text),
  read(sources, { ownerOf }) {
    const draft = newFacts()
    const servers = new Map<string, { owner: Owner | null; files: Source[] }>()
    for (const source of sources) {
      const owner = ownerOf(source.file)
      const key = owner?.name ?? source.file.slice(0, Math.max(0, source.file.lastIndexOf('/')))
      const server = servers.get(key) ?? { owner, files: [] }
      server.files.push(source)
      servers.set(key, server)
    }
    for (const { owner, files } of servers.values()) readServer(owner, files, draft)
    return draft
  },
}

/** The files of a folder are read in the order of their names, and what comes later holds: the official image has its own beside yours. */
function readServer(owner: Owner | null, files: readonly Source[], draft: FactsDraft): void {
  const pools = new Map<string, Map<string, IniEntry>>()
  for (const file of files.toSorted((a, b) => (a.file < b.file ? -1 : 1)))
    for (const entry of readIni(file, DIALECT)) {
      if (entry.section === '' || entry.section === 'global') continue
      const pool = pools.get(entry.section) ?? new Map<string, IniEntry>()
      pools.set(entry.section, pool.set(entry.key, entry))
    }
  const base = owner?.name ?? folderName(files[0]?.file ?? '') ?? 'php-fpm'
  const names = [...pools.keys()]
  for (const [pool, entries] of pools) {
    const isFirst = pool === names[0]
    draft.services.push(
      poolService({ name: isFirst ? base : nameOf(`${base}-${pool}`), host: base, entries, isPlaced: owner !== null, draft }),
    )
  }
}

interface Pool {
  readonly name: string
  readonly host: string
  readonly entries: ReadonlyMap<string, IniEntry>
  readonly isPlaced: boolean
  readonly draft: FactsDraft
}

function poolService({ name, host, entries, isPlaced, draft }: Pool): ServiceFact {
  const [first] = entries.values()
  const at = first?.spot ?? { source: { file: name, text: '' }, start: 0, end: 1 }
  const get = (key: string): Written | undefined => entries.get(key)?.value
  const setting = (key: string): Setting => ({ draft, system: 'php-fpm', version: null, key, at })
  const requestMs = terminateLimit(setting('request_terminate_timeout'), get('request_terminate_timeout'))
  for (const [key, { value }] of entries)
    if (/\[(max_execution_time)\]$/.test(key))
      addNote(draft, 'ignored', value.spot, 'max_execution_time counts the work of the script, not what it waits for')
  const children = countFact(setting('pm.max_children'), get('pm.max_children'))
  const { ports, sockets } = addressesOf([get('listen') ?? { text: '', spot: at }])
  return {
    name,
    spot: at,
    kind: 'service',
    hosts: [...(host === name ? [] : [host.toLowerCase()]), ...sockets.map(socketHost)],
    ports,
    intercepts: [],
    ...(isPlaced ? {} : { anywhere: true as const }),
    concurrency: children,
    processes: children,
    operations: [
      { name: 'request', spot: at, path: null, hops: [], ...(requestMs ? { limits: { spot: requestMs.origin.spot, requestMs } } : {}) },
    ],
  }
}

/** php-fpm reads the digits at the beginning and the unit at the end: `500ms` is 500 s, `1m30s` is 1 s; it refuses other ends. */
function terminateLimit(setting: Setting, written: Written | undefined): Sourced<LimitMs> | undefined {
  if (!written || /^\d{1,9}[smhd]?$/.test(written.text) || templateIn(written.text) !== null)
    return limitFact(setting, written, 'php-fpm', 'none')
  if (!/[\dsmhd]$/.test(written.text)) return limitFact(setting, written, 'php-fpm', 'none')
  const digits = /^\d{1,9}/.exec(written.text)?.[0] ?? '0'
  const unit = /[smhd]$/.exec(written.text)?.[0] ?? ''
  const taken = limitFact(setting, { text: `${digits}${unit}`, spot: written.spot }, 'php-fpm', 'none')
  addDead(setting.draft, {
    setting: setting.key,
    written: written.text,
    spot: written.spot,
    because: 'php-fpm takes one whole number and one unit (s, m, h, d): the digits it begins with and the last letter',
    effective: digits === '0' ? 'no limit' : `${digits} ${unit === '' ? 's' : unit}`,
  })
  return taken
}
