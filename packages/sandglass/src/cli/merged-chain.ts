import type { Imported } from '../importers/import-sources.js'
import type { Source } from '../model/sourced.js'
import { readYaml, type YamlMap } from '../model/yaml-tree.js'
import { eolOf } from '../plan/yaml-edit.js'
import { importParts } from '../report/import-yaml.js'

/** A chain file with the services and journeys that are not in it yet; what is there stays as it is, comments included. */
export function mergedChain(source: Source, imported: Imported): string {
  const yaml = readYaml(source)
  const root = yaml.ok && yaml.root?.kind === 'map' ? yaml.root : null
  const journeys = sectionOf(root, 'journeys')
  const services = sectionOf(root, 'services')
  const parts = importParts(imported, namesOf(journeys), namesOf(services))
  const additions = [
    { section: 'journeys', map: journeys, lines: parts.journeys },
    { section: 'services', map: services, lines: parts.services },
  ].filter(({ lines }) => lines.length > 0)
  // From the end on, so that earlier offsets stay.
  const inserts = additions.map((addition) => insertOf(source, addition)).toSorted((a, b) => b.at - a.at)
  const eol = eolOf(source.text)
  return inserts.reduce((text, { at, added }) => `${text.slice(0, at)}${added.replaceAll('\n', eol)}${text.slice(at)}`, source.text)
}

function sectionOf(root: YamlMap | null, key: string): YamlMap | null {
  const value = root?.entries.find((entry) => entry.key.text === key)?.value
  return value?.kind === 'map' && value.entries.length > 0 ? value : null
}

function namesOf(map: YamlMap | null): ReadonlySet<string> {
  return new Set((map?.entries ?? []).map(({ key }) => key.text))
}

/** Behind the line a section ends on, as far in as its entries; a section that is not there is begun at the end. */
function insertOf(
  { text }: Source,
  { section, map, lines }: { section: string; map: YamlMap | null; lines: readonly string[] },
): { at: number; added: string } {
  const first = map?.entries[0]
  if (!map || !first)
    return { at: text.length, added: `${text.endsWith('\n') || text === '' ? '' : '\n'}\n${section}:\n${lines.join('\n')}\n` }
  const lineStart = text.lastIndexOf('\n', first.key.start) + 1
  const indent = first.key.start - lineStart
  const newline = text.indexOf('\n', map.end)
  const at = newline < 0 ? text.length : newline + 1
  const shifted = lines.map((line) => (indent >= 2 ? `${' '.repeat(indent - 2)}${line}` : line.slice(2 - indent)))
  return { at, added: `${newline < 0 ? '\n' : ''}${shifted.join('\n')}\n` }
}
