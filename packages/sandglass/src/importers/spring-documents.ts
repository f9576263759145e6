import type { Source } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import type { FactsDraft } from './facts.js'
import { propertiesDocuments } from './spring-properties.js'
import { type Entry, relaxed } from './spring-settings.js'
import { yamlMaps } from './yaml-path.js'

/** A document of a file with settings, and when it holds. */
export interface SettingsDocument {
  readonly source: Source
  /** What must be active: a profile or an expression of profiles (`prod & !eu`); null: it always holds. */
  readonly profile: string | null
  /** A platform it must run on (`kubernetes`); null: on any. */
  readonly platform: string | null
  readonly entries: readonly Entry[]
}

/** Reads `application.yml`, `.properties` and their like, with several documents; `nameProfile` is the profile in the file's name. */
export function readDocuments(source: Source, nameProfile: string | null, draft: FactsDraft): readonly SettingsDocument[] {
  const documents = source.file.endsWith('.properties')
    ? propertiesDocuments(source)
    : yamlMaps(source, draft).map((root) => flattened(root))
  return documents.map((entries) => {
    const own = conditionOf(entries)
    const profile = nameProfile !== null && own !== null ? `(${nameProfile}) & (${own})` : (nameProfile ?? own)
    return { source, profile, platform: textOf(entries, 'spring.config.activate.on-cloud-platform'), entries }
  })
}

/** The profile in a file's name: `prod` of `application-prod.yml`; null where there is none. */
export function profileInName(file: string): string | null {
  return /(?:^|\/)(?:application|bootstrap)-([\w.-]+)\.(?:ya?ml|properties)$/.exec(file)?.[1] ?? null
}

/** `spring.config.activate.on-profile`, or `spring.profiles` as it was before Boot 2.4; several are alternatives. */
function conditionOf(entries: readonly Entry[]): string | null {
  const found = entries.filter(({ key }) => {
    const plain = relaxed(key).replace(/\[\d+\]$/, '')
    return plain === 'spring.config.activate.onprofile' || plain === 'spring.profiles'
  })
  const texts = found.map(({ written }) => written.text).filter((text) => text !== '')
  return texts.length === 0 ? null : texts.join(',')
}

function textOf(entries: readonly Entry[], key: string): string | null {
  return entries.find((entry) => relaxed(entry.key) === relaxed(key))?.written.text ?? null
}

const MAX_ENTRIES = 50_000

function flattened(root: YamlNode): readonly Entry[] {
  const entries: Entry[] = []
  const walk = (node: YamlNode, key: string): void => {
    if (entries.length >= MAX_ENTRIES) return
    if (node.kind === 'scalar') entries.push({ key, written: { text: node.text, spot: node } })
    else if (node.kind === 'list') for (const [index, item] of node.items.entries()) walk(item, `${key}[${index}]`)
    else for (const { key: name, value } of node.entries) walk(value, key === '' ? name.text : `${key}.${name.text}`)
  }
  walk(root, '')
  return entries
}
