import type { Source, Spot } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { type Get, nowhere } from './dubbo-model.js'
import { addNote, type FactsDraft } from './facts.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

/** A dynamic rule of a config center that holds for every call it means, whatever the files of the services say. */
export interface DubboOverride {
  readonly spot: Spot
  readonly side: 'consumer' | 'provider' | 'both'
  /** The interface it is about, as `group/interface:version` is taken apart; null for a whole application. */
  readonly service: { readonly interface: string; readonly group: string; readonly version: string } | null
  readonly application: string | null
  /** Applications that make the call, where it is for some alone. */
  readonly only: readonly string[] | null
  readonly parameters: Get
}

/** True for a text with override rules: a router rule has conditions in place of parameters. */
export function isOverrideFile({ file, text }: Source): boolean {
  return /\.ya?ml$|\/[^/.]+(\.configurators)?$/.test(file) && /^configVersion:/m.test(text) && /^configs:/m.test(text)
}

/** The override rules in a file; what holds for some addresses only becomes a note. */
export function overridesIn(source: Source, draft: FactsDraft): readonly DubboOverride[] {
  return yamlMaps(source, draft).flatMap((root) => {
    if (textAt(root, 'enabled') === 'false') {
      addNote(draft, 'ignored', at(root, 'enabled') ?? root, 'the rule is not enabled')
      return []
    }
    return itemsAt(root, 'configs').flatMap((config) => overrideOf(config, root, draft))
  })
}

function overrideOf(config: YamlNode, root: YamlNode, draft: FactsDraft): readonly DubboOverride[] {
  const parameters = at(config, 'parameters')
  if (!parameters || textAt(config, 'enabled') === 'false') return []
  const key = textAt(root, 'key')
  const isApplication = textAt(root, 'scope') === 'application'
  const condition = conditionOf(config)
  if (condition) {
    addNote(draft, 'unknown', condition, 'the rule holds for some addresses or requests only; it is not applied')
    return []
  }
  const only = applicationsOf(config)
  const override = {
    spot: parameters,
    side: sideOf(textAt(config, 'side')),
    only: only.length > 0 ? only : null,
    parameters: parametersOf(parameters),
  }
  if (!isApplication) return [{ ...override, service: serviceOf(key), application: null }]
  const services = itemsAt(config, 'services').map((item) => textAt(item))
  const named = services.filter((name) => name !== '*')
  if (named.length === 0) return [{ ...override, service: null, application: key }]
  return named.map((name) => ({ ...override, service: serviceOf(name), application: key }))
}

function sideOf(text: string): DubboOverride['side'] {
  return text === 'consumer' || text === 'provider' ? text : 'both'
}

/** What narrows a rule to some addresses; undefined where it is for all. */
function conditionOf(config: YamlNode): YamlNode | undefined {
  const narrow = (key: string) => itemsAt(config, key).find((item) => !/^(0\.0\.0\.0|\*)$/.test(textAt(item)))
  const match = at(config, 'match')
  const beside = match?.kind === 'map' ? match.entries.find(({ key }) => !/^(application|service)$/.test(key.text))?.value : undefined
  return narrow('addresses') ?? narrow('providerAddresses') ?? beside
}

function applicationsOf(config: YamlNode): readonly string[] {
  const listed = itemsAt(config, 'applications').map((item) => textAt(item))
  const matched = [
    ...itemsAt(config, 'match', 'application', 'oneof'),
    ...[at(config, 'match', 'application', 'exact')].flatMap((node) => node ?? []),
  ]
  const exact = matched.map((node) => textAt(node, 'exact') || textAt(node))
  return [...listed, ...exact].filter((name) => name !== '' && name !== '*')
}

function serviceOf(key: string): NonNullable<DubboOverride['service']> {
  const found = /^(?:([^/]*)\/)?([^:]*)(?::(.*))?$/.exec(key)
  const [, group = '', name = '', version = ''] = found ?? []
  return { interface: name, group, version: version === '0.0.0' ? '' : version }
}

function parametersOf(node: YamlNode): Get {
  return node.kind === 'map' ? (attribute) => writtenAt(node, attribute) : nowhere()
}
