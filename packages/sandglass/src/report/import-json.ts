import type { Imported } from '../importers/import-sources.js'
import { type Branch, chainTree } from './chain-tree.js'
import { jsonPlace, jsonText, SCHEMA_VERSION } from './json.js'

/** An imported chain and its notes as one JSON document, described by `schema/import.schema.json`; `chain` is a chain file as JSON. */
export function importJson(imported: Imported): string {
  const { journeys, services } = chainTree(imported.file)
  const document = {
    schemaVersion: SCHEMA_VERSION,
    chain: { sandglass: 1, journeys: plain(journeys), services: plain(services) },
    notes: imported.notes.map(({ spot, text, kind }) => ({ at: jsonPlace(spot), text, kind })),
    read: imported.read,
    notRead: imported.notRead,
  }
  return jsonText(document, imported.file.services.length)
}

function plain(branch: Branch): unknown {
  if (branch.kind === 'map') return Object.fromEntries(branch.entries.map(({ key, value }) => [key, plain(value)]))
  if (branch.kind === 'list') return branch.items.map(({ value }) => plain(value))
  const { text } = branch
  const list = /^\[(.*)\]$/.exec(text)
  if (list) return list[1] === '' ? [] : (list[1] ?? '').split(', ').map((item) => (/^\d+$/.test(item) ? Number(item) : item))
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text
}
