import type { CallFields } from '../model/chain.js'
import { declared, type Source, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { factorOf } from './factor-of.js'
import { addDead, addNote, type FactsDraft, type HopFact, type Importer, newFacts, type OperationFact, type Surroundings } from './facts.js'
import { countFact, limitFact, type Setting } from './limit-fact.js'
import { numbered } from './numbered.js'
import { nameOf } from './target.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

/** A gRPC client's service config. */
export const grpcServiceConfig: Importer = {
  format: 'grpc-service-config',
  accepts: ({ file, text }) => /\.(json|ya?ml)$/.test(file) && /"?methodConfig"?\s*:/.test(text) && !/^apiVersion:/m.test(text),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources) for (const root of yamlMaps(source, draft)) readConfig(source, root, surroundings, draft)
    return draft
  },
}

function readConfig(source: Source, root: YamlNode, surroundings: Surroundings, draft: FactsDraft): void {
  const configs = itemsAt(root, 'methodConfig')
  const operations = configs.flatMap((config) => operationsOf(config, root, draft))
  if (operations.length === 0) return
  const name = surroundings.ownerOf(source.file)?.name ?? nameOf(`grpc-client-${source.file.replace(/\.\w+$/, '')}`)
  draft.services.push({ name, spot: root, kind: 'service', hosts: [], ports: [], intercepts: [], operations: numbered(operations) })
}

/** One operation for each service or method it names: the most specific entry holds, nothing is merged. */
function operationsOf(config: YamlNode, root: YamlNode, draft: FactsDraft): readonly OperationFact[] {
  const fields = fieldsOf(config, root, draft)
  return itemsAt(config, 'name').flatMap((name) => {
    const service = writtenAt(name, 'service')
    if (!service || service.text === '') {
      addNote(draft, 'unknown', name, 'holds for every method without an entry of its own; which there are stands in the code')
      return []
    }
    const method = textAt(name, 'method')
    const short = service.text.slice(service.text.lastIndexOf('.') + 1)
    const target = { text: service.text, spot: service.spot, host: short.toLowerCase(), port: null, path: null, kind: null }
    const hop: HopFact = { spot: name, target, fields, remarks: [] }
    return [{ name: nameOf(method === '' ? short : `${short}-${method}`), spot: name, path: null, hops: [hop] }]
  })
}

function settingOf(draft: FactsDraft, key: string, node: YamlNode): Setting {
  return { draft, system: 'grpc service config', version: null, key, shown: key.slice(key.lastIndexOf('.') + 1), at: node }
}

/** The timeout covers all tries; clients make at most five of them. */
const MAX_ATTEMPTS = 5
const MIN_ATTEMPTS = 2

function fieldsOf(config: YamlNode, root: YamlNode, draft: FactsDraft): Partial<Omit<CallFields, 'to'>> {
  const timeoutMs = limitFact(settingOf(draft, 'methodConfig[].timeout', config), writtenAt(config, 'timeout'), 'protobuf')
  const hedging = at(config, 'hedgingPolicy')
  if (hedging) addNote(draft, 'unknown', hedging, 'hedgingPolicy: its further tries beside the first are not in the chain')
  const policy = at(config, 'retryPolicy')
  return { ...(timeoutMs ? { timeoutMs } : {}), ...(policy ? retryFields(policy, root, draft) : {}) }
}

function retryFields(policy: YamlNode, root: YamlNode, draft: FactsDraft): Partial<Omit<CallFields, 'to'>> {
  const written = writtenAt(policy, 'maxAttempts')
  if (!written) {
    addNote(draft, 'unknown', policy, 'retryPolicy without maxAttempts is not valid')
    return {}
  }
  const count = countFact(settingOf(draft, 'retryPolicy.maxAttempts', policy), written)
  if (typeof count.value === 'number' && count.value < MIN_ATTEMPTS) {
    addNote(
      draft,
      'unknown',
      written.spot,
      `maxAttempts is at least ${MIN_ATTEMPTS}: with ${written.text} clients refuse the whole service config`,
    )
    return {}
  }
  if (typeof count.value === 'number' && count.value > MAX_ATTEMPTS) {
    addDead(draft, {
      setting: 'maxAttempts',
      written: written.text,
      spot: written.spot,
      because: `clients make at most ${MAX_ATTEMPTS} attempts`,
      effective: `${MAX_ATTEMPTS} attempts`,
    })
  }
  const attempts: Sourced<number | 'unknown'> =
    typeof count.value === 'number' ? { ...count, value: Math.min(count.value, MAX_ATTEMPTS) } : count
  const limit = (key: string) => {
    const found = writtenAt(policy, key)
    return found && limitFact(settingOf(draft, 'retryPolicy.initialBackoff/maxBackoff', policy), found, 'protobuf')
  }
  const [baseMs, maxMs] = [limit('initialBackoff'), limit('maxBackoff')]
  const spot = baseMs?.origin.spot ?? policy
  const throttle = at(root, 'retryThrottling')
  if (throttle)
    addNote(
      draft,
      'ignored',
      throttle,
      'retryThrottling: a token bucket over all calls of the client; the chain counts every try it may make',
    )
  return {
    attempts,
    ...causesOf(policy, draft),
    ...(baseMs
      ? {
          backoff: {
            kind: 'law' as const,
            baseMs,
            ...(maxMs ? { maxMs } : {}),
            factor: declared(factorOf(textAt(policy, 'backoffMultiplier'), 2), spot),
            jitter: declared('full' as const, spot),
          },
        }
      : {}),
  }
}

const CAUSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['UNAVAILABLE', ['connect', '503']],
  ['INTERNAL', ['500']],
  ['UNKNOWN', ['500']],
  ['ABORTED', ['409']],
  ['RESOURCE_EXHAUSTED', ['429']],
  ['CANCELLED', ['499']],
])

/** A try that ran into the deadline leaves no time for another: DEADLINE_EXCEEDED repeats nothing. */
function causesOf(policy: YamlNode, draft: FactsDraft): Pick<Partial<CallFields>, 'retryOn'> {
  const codes = itemsAt(policy, 'retryableStatusCodes')
  for (const code of codes) {
    if (textAt(code) !== 'DEADLINE_EXCEEDED') continue
    addDead(draft, {
      setting: 'retryableStatusCodes',
      written: 'DEADLINE_EXCEEDED',
      spot: code,
      because: 'the timeout covers all tries, so nothing is left for another one',
      effective: 'not repeated',
    })
  }
  const causes = codes.flatMap((code) => CAUSES.get(textAt(code)) ?? [])
  return codes.length > 0 ? { retryOn: declared([...new Set(causes)], codes[0] ?? policy) } : {}
}
