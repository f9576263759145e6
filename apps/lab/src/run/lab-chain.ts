import { type Chain, compiledLimits, readChainText, type Scenario } from 'sandglass'
import { stringify } from 'yaml'
import type { Arm } from '../arms/arm.js'
import { type LabSize, ms, toLabSize } from '../chain/lab-size.js'
import type { Plain, PlainChain } from '../chain/plain-chain.js'
import type { LabFault } from '../fault/lab-fault.js'

/** An arm's chain: the text that the simulator reads, and the chain that the services are made from. */
export interface LabChain {
  readonly text: string
  readonly chain: Chain
  readonly scenario: Scenario
}

/** Derives an arm's chain from an example, at the size of this machine; faults of operations become part of its scenario. */
export function labChain(
  example: PlainChain,
  scenario: string,
  arm: Arm,
  size: LabSize,
  faults: readonly LabFault[],
  keepsOwnFaults: boolean,
): LabChain {
  const plain = toLabSize(arm.chainOf(example), scenario, size)
  const lab = plain.scenarios!['lab']!
  const own = keepsOwnFaults ? (lab['faults'] as Plain[]) : []
  lab['faults'] = [...own, ...faults.flatMap(chainFault)]
  const text = `# ${arm.name}: ${arm.what}\n${stringify(plain)}`
  const { chain, problems } = readChainText(text, `${arm.name}.yaml`)
  const [problem] = problems
  if (problem) throw new Error(`the chain of the ${arm.name} arm is not sound: ${problem.message}`)
  return { text, chain, scenario: chain.scenarios[0]! }
}

/** A fault as a chain file can say it; what a chain has no word for is left out, and the simulator does not know of it. */
export function chainFault(fault: LabFault): { [key: string]: Plain }[] {
  const when = { at: ms(fault.atMs), ...(fault.forMs !== null && { for: ms(fault.forMs) }) }
  if (fault.on === 'process') return [{ on: fault.service, ...when, ...(fault.signal === 'SIGKILL' ? { down: true } : { hang: '100%' }) }]
  if (fault.on === 'wire') return []
  const { operation, times, addMs, speed, errorShare, hangShare, isDown, lockShare } = fault.trouble
  const what: { [key: string]: Plain } = {
    ...(times !== undefined && { latency: `x${times}` }),
    ...(addMs !== undefined && { latency: `+${ms(addMs)}` }),
    ...(speed !== undefined && { capacity: `x${speed}` }),
    ...(errorShare !== undefined && { errors: `${errorShare * 100}%` }),
    ...((hangShare ?? lockShare) !== undefined && { hang: `${(hangShare ?? lockShare)! * 100}%` }),
    ...(isDown !== undefined && { down: isDown }),
  }
  return [{ on: `${fault.service}.${operation}`, ...when, ...what }]
}

/** The faults of an arm's scenario as the lab plays them. Throws for one that it cannot play. */
export function playedFaults({ chain, scenario }: LabChain): readonly LabFault[] {
  return scenario.faults.flatMap((fault) => {
    const on = fault.on.value
    const operations = on.includes('.') ? [on] : [...chain.operations.keys()].filter((id) => id.startsWith(`${on}.`))
    if (fault.slots) throw new Error(`the lab cannot take slots away from ${on}; it can play latency, capacity, errors, hang and down`)
    const latency = fault.latency?.value
    return operations.map((id): LabFault => {
      const [service = '', operation = ''] = id.split('.')
      const trouble = {
        operation,
        ...(latency && 'times' in latency && { times: latency.times }),
        ...(latency && 'addMs' in latency && { addMs: latency.addMs }),
        ...(fault.capacity && { speed: fault.capacity.value }),
        ...(fault.errors && { errorShare: fault.errors.value }),
        ...(fault.hang && { hangShare: fault.hang.value }),
        ...(fault.down && { isDown: fault.down.value }),
      }
      return {
        on: 'operation',
        service,
        trouble,
        atMs: fault.atMs.value,
        forMs: fault.forMs?.value ?? null,
        text: troubleText(id, trouble),
      }
    })
  })
}

function troubleText(
  id: string,
  {
    times,
    addMs,
    speed,
    errorShare,
    hangShare,
    isDown,
  }: { times?: number; addMs?: number; speed?: number; errorShare?: number; hangShare?: number; isDown?: boolean },
): string {
  const words = [
    times !== undefined && `latency x${times}`,
    addMs !== undefined && `latency +${addMs} ms`,
    speed !== undefined && `capacity x${speed}`,
    errorShare !== undefined && `${errorShare * 100} % errors`,
    hangShare !== undefined && `${hangShare * 100} % hang`,
    isDown === true && 'down',
  ]
  return `${id}: ${words.filter(Boolean).join(', ')}`
}

/** The limits file of one service, as `sandglass compile` writes it. */
export function limitsText(chain: Chain, service: string): string {
  return JSON.stringify(compiledLimits(chain, chain.services.get(service)!).limits, null, 2)
}
