import { declared, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addNote, type FactsDraft } from './facts.js'
import type { Written } from './limit-fact.js'
import { templateIn } from './templates.js'
import { at, textAt, writtenAt } from './yaml-path.js'

/** By kind: where an autoscaler says how many replicas it makes at most. */
const MOST: ReadonlyMap<string, string> = new Map([
  ['HorizontalPodAutoscaler', 'maxReplicas'],
  ['ScaledObject', 'maxReplicaCount'],
])

/** The autoscalers among resources, by the kind and name of what they scale. */
export function autoscalersOf(roots: readonly YamlNode[]): ReadonlyMap<string, YamlNode> {
  const found = new Map<string, YamlNode>()
  for (const root of roots.filter((each) => MOST.has(textAt(each, 'kind')))) {
    const target = at(root, 'spec', 'scaleTargetRef')
    found.set(`${textAt(target, 'kind') || 'Deployment'} ${textAt(target, 'name')}`, root)
  }
  return found
}

/** How many instances a workload has: the most that its autoscaler makes, which is how many there are at the peak; else its replicas. */
export function replicasOf(
  workload: YamlNode,
  autoscalers: ReadonlyMap<string, YamlNode>,
  draft: FactsDraft,
): Sourced<number | 'unknown'> | undefined {
  const own = writtenAt(workload, 'spec', 'replicas')
  const kind = textAt(workload, 'kind')
  const autoscaler = autoscalers.get(`${kind} ${textAt(workload, 'metadata', 'name')}`)
  const most = autoscaler && writtenAt(autoscaler, 'spec', MOST.get(textAt(autoscaler, 'kind')) ?? '')
  // A DaemonSet has one for each machine, however many there are.
  if (kind === 'DaemonSet') return declared('unknown', workload)
  if (!most) return countOf(own)
  addNote(
    draft,
    'unknown',
    most.spot,
    `scaled up to ${most.text}: the chain has the most instances, as at the peak${own ? ` (replicas ${own.text})` : ''}`,
  )
  return countOf(most)
}

function countOf(written: Written | undefined): Sourced<number | 'unknown'> | undefined {
  if (!written) return undefined
  if (templateIn(written.text) !== null) return declared('unknown', written.spot)
  return /^[1-9]\d{0,6}$/.test(written.text) ? declared(Number(written.text), written.spot) : undefined
}
