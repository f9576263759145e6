import type { YamlNode } from '../model/yaml-tree.js'
import { addDead, type FactsDraft, type HopFact, type Importer, newFacts, type OperationFact } from './facts.js'
import { countFact, defaultNumber, limitFact, type Setting, type Written } from './limit-fact.js'
import { numbered } from './numbered.js'
import { weightOf } from './shares.js'
import { nameOf, targetOf } from './target.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

/** Kong's declarative configuration. */
export const kong: Importer = {
  format: 'kong',
  accepts: ({ file, text }) => /\.(ya?ml|json)$/.test(file) && /^[ \t{]*"?_format_version"?[ \t]*:/m.test(text),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources) {
      const roots = yamlMaps(source, draft)
      const operations = roots.flatMap((root) => itemsAt(root, 'services').flatMap((service) => operationsOf(service, root, draft)))
      const [first] = roots
      const owner = surroundings.ownerOf(source.file)
      const name = owner?.name ?? (sources.length === 1 ? 'kong' : nameOf(`kong-${source.file.replace(/\.\w+$/, '')}`))
      if (first && operations.length > 0)
        draft.services.push({ name, spot: first, kind: 'proxy', hosts: [], ports: [], intercepts: [], operations: numbered(operations) })
    }
    return draft
  },
}

/** One operation for each path of a service's routes; all of them have the service's limits. */
function operationsOf(service: YamlNode, root: YamlNode, draft: FactsDraft): readonly OperationFact[] {
  const hop = hopOf(service, root, draft)
  if (!hop) return []
  const name = nameOf(textAt(service, 'name') || 'service')
  const paths = itemsAt(service, 'routes').flatMap((route) => itemsAt(route, 'paths').map((path) => textAt(path)))
  const literal = paths.filter((path) => /^\/[\w/.-]*$/.test(path))
  if (literal.length === 0) return [{ name, spot: service, path: null, hops: [hop] }]
  return literal.map((path) => ({
    name: literal.length === 1 ? name : `${name}${path.replace(/[^\w/-]+/g, '-').replace(/\/$/, '')}`,
    spot: service,
    path,
    hops: [hop],
  }))
}

function hopOf(service: YamlNode, root: YamlNode, draft: FactsDraft): HopFact | null {
  const where = addressOf(service)
  if (!where) return null
  const setting = (key: string): Setting => ({ draft, system: 'kong', version: null, key: `service.${key}`, shown: key, at: service })
  const limit = (key: string) => {
    const written = timeoutOf(service, key)
    if (written?.text === '0')
      addDead(draft, {
        setting: key,
        written: '0',
        spot: written.spot,
        because: 'Kong takes whole milliseconds from 1 on',
        effective: 'not valid',
      })
    return limitFact(setting(key), written, 'int-ms')
  }
  const [connectMs, writeMs, silenceMs] = [limit('connect_timeout'), limit('write_timeout'), limit('read_timeout')]
  const retries = countFact(setting('retries'), writtenAt(service, 'retries'))
  const upstream = itemsAt(root, 'upstreams').find((each) => textAt(each, 'name') === targetOf(where.text, where.spot).host)
  const usual = defaultNumber({ ...setting('targets'), key: 'upstreams[].targets[].weight' }).value
  const usualWeight = usual === 'unknown' ? 1 : usual
  const targets = itemsAt(upstream, 'targets').map((each) => ({
    ...targetOf(textAt(each, 'target'), each),
    weight: weightOf(writtenAt(each, 'weight'), usualWeight),
  }))
  const [first] = targets
  const isOne = first !== undefined && targets.every(({ host, port }) => host === first.host && port === first.port)
  return {
    spot: service,
    target: isOne
      ? targetOf(first.text, first.spot)
      : { ...targetOf(where.text, where.spot), ...(targets.length > 0 ? { peers: targets } : {}) },
    fields: {
      ...(connectMs ? { connectMs } : {}),
      ...(writeMs ? { writeMs } : {}),
      ...(silenceMs ? { silenceMs } : {}),
      ...(retries.value === 0
        ? {}
        : {
            attempts: retries.value === 'unknown' ? retries : { ...retries, value: retries.value + 1 },
            retryOn: { value: ['connect', 'reset', 'timeout'], origin: retries.origin },
          }),
    },
    repeatsReadsOnly: true,
    remarks: [],
  }
}

function addressOf(service: YamlNode): Written | undefined {
  const url = writtenAt(service, 'url')
  const host = writtenAt(service, 'host')
  const port = textAt(service, 'port')
  return url ?? (host && { text: port === '' ? host.text : `${host.text}:${port}`, spot: host.spot })
}

/** The plugin `upstream-timeout` wins over the service's own value. */
function timeoutOf(service: YamlNode, key: string): Written | undefined {
  const plugin = itemsAt(service, 'plugins').find((each) => textAt(each, 'name') === 'upstream-timeout')
  return writtenAt(at(plugin, 'config'), key) ?? writtenAt(service, key)
}
