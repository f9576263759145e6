import type { Probe } from '../model/chain.js'
import { defaultOf } from '../model/default-of.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addDead, type FactsDraft, type ServiceFact } from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'
import { at, writtenAt } from './yaml-path.js'

/** What takes an instance out of its Service, or else what restarts it; a check of a port asks nobody else. */
export function probeFacts(containers: readonly YamlNode[], draft: FactsDraft): Pick<ServiceFact, 'probe' | 'probePath'> {
  for (const container of containers) for (const kind of [...PROBES, 'startupProbe']) sayMisplaced(at(container, kind), kind, draft)
  for (const kind of PROBES)
    for (const container of containers) {
      const probe = at(container, kind)
      const path = writtenAt(probe, 'httpGet', 'path')
      if (probe) return { probe: probeOf(probe, kind, draft), ...(path ? { probePath: path } : {}) }
    }
  return {}
}

const PROBES = ['readinessProbe', 'livenessProbe']
const OF_THE_PROBE = ['timeoutSeconds', 'periodSeconds', 'failureThreshold']
const HANDLERS = ['httpGet', 'tcpSocket', 'exec', 'grpc']

/** A time of the probe that stands at what it asks. */
function sayMisplaced(probe: YamlNode | undefined, kind: string, draft: FactsDraft): void {
  for (const handler of HANDLERS)
    for (const key of OF_THE_PROBE) {
      const misplaced = writtenAt(probe, handler, key)
      if (!misplaced) continue
      addDead(draft, {
        setting: `${kind}.${handler}.${key}`,
        written: misplaced.text,
        spot: misplaced.spot,
        because: `Kubernetes looks for ${key} one level up, beside ${handler}`,
        effective: 'the value there, or the default',
      })
    }
}

function probeOf(probe: YamlNode, kind: string, draft: FactsDraft): Probe {
  const setting = (key: string): Setting => ({ draft, system: 'kubernetes', version: null, key: `${kind}.${key}`, shown: key, at: probe })
  const limit = (key: string) => limitFact(setting(key), writtenOf(probe, setting(key)), 'int-s')
  const [timeoutMs, periodMs] = [limit('timeoutSeconds'), limit('periodSeconds')]
  const failures = countFact(setting('failureThreshold'), writtenOf(probe, setting('failureThreshold')))
  return {
    spot: probe,
    ...(timeoutMs ? { timeoutMs } : {}),
    ...(periodMs ? { periodMs } : {}),
    ...(typeof failures.value === 'number' ? { failures: { ...failures, value: failures.value } } : {}),
  }
}

/** Kubernetes takes a 0 for what is not written, and puts the default in its place. */
function writtenOf(probe: YamlNode, setting: Setting): Written | undefined {
  const { key, shown = key, draft, system } = setting
  const written = writtenAt(probe, shown)
  if (!written || !/^0+$/.test(written.text)) return written
  const row = defaultOf(system, key, null)
  const text = row.kind === 'known' ? `${row.row.text}${shown.endsWith('Seconds') ? ' s' : ''}, the default` : 'the default'
  addDead(draft, {
    setting: key,
    written: written.text,
    spot: written.spot,
    because: 'Kubernetes takes 0 for not written',
    effective: text,
  })
  return undefined
}
