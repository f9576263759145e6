import { parseArgs } from 'node:util'
import { type ArmName, armNames } from './arms/arm.js'
import type { PeerLimits } from './arms/peer-limits.js'
import { FAULT_HELP, type LabFault, readFault } from './fault/lab-fault.js'
import { labScenarios, type LabScenario } from './run/scenario.js'

/** What the lab is to do. */
export interface LabOptions {
  readonly scenario: LabScenario
  readonly arms: readonly ArmName[]
  /** Null: found by the calibration. */
  readonly ratePerS: number | null
  readonly durationMs: number
  readonly faults: readonly LabFault[]
  /** Whether the scenario's own faults are played. */
  readonly keepsOwnFaults: boolean
  readonly seed: number
  readonly runs: number
  readonly peerLimits: PeerLimits
  readonly standIns: boolean
  readonly isJson: boolean
  /** Where the page is written; null for nowhere. */
  readonly reportPath: string | null
  readonly picturePath: string | null
}

/** What the command line asks for, or what is wrong with it. */
export type Asked =
  | { readonly kind: 'run'; readonly options: LabOptions }
  | { readonly kind: 'fault'; readonly text: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }

/** How long an arm runs when nothing else is asked for. */
const DEFAULT_DURATION_MS = 14_000

/** The help page. */
export const HELP: string = `Real services, real load, real faults on this machine, one arm after the other.

  npm run lab                                  the avalanche, all arms, in about a minute and a half
  npm run lab -- confirm-order --arms sandglass,opossum
  npm run lab -- avalanche --fault order:kill@6s --arms sandglass
  npm run lab -- fault inventory-db.select:latency=x20    while a lab runs, from another terminal

Scenarios
${labScenarios.map(({ name, what }) => `  ${name.padEnd(15)}${what}`).join('\n')}

Options
  --arms <names>       of ${armNames.join(', ')}; default all
  --rate <n>           requests per second; default found by a short calibration
  --duration <s>       of one arm, warm-up included; default 14
  --fault <what>       beside the scenario's own, repeatable; "none" leaves out the scenario's own
                       ${FAULT_HELP}
  --runs <n>           so many runs in a row, with their table each; default 1
  --seed <n>           of the arrivals; default 1
  --peers <limits>     where the peers' timeouts come from: documented (their readmes; default) or chain
  --stand-ins          no PostgreSQL or Redis, even when they are there
  --json               one JSON document on stdout
  --report <file>      the page; default lab-report.html in the system's folder for temporary files
  --picture <file>     one chart as SVG`

/** Reads the command line. */
export function readArguments(args: readonly string[]): Asked {
  if (args[0] === 'fault') return readFaultCommand(args[1])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        arms: { type: 'string' },
        rate: { type: 'string' },
        duration: { type: 'string', default: '14' },
        fault: { type: 'string', multiple: true, default: [] },
        runs: { type: 'string', default: '1' },
        seed: { type: 'string', default: '1' },
        peers: { type: 'string', default: 'documented' },
        'stand-ins': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        report: { type: 'string' },
        picture: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return { kind: 'help' }
    const scenario = labScenarios.find(({ name }) => name === (positionals[0] ?? 'avalanche'))
    if (!scenario) return wrong(`there is no scenario "${positionals[0]}"; there are ${labScenarios.map(({ name }) => name).join(', ')}`)
    const arms = (values.arms?.split(',') ?? armNames).map((name) => name.trim())
    const unknown = arms.find((name) => !armNames.includes(name as ArmName))
    if (unknown !== undefined) return wrong(`there is no arm "${unknown}"; there are ${armNames.join(', ')}`)
    const numbers = { rate: values.rate, duration: values.duration, runs: values.runs, seed: values.seed }
    for (const [name, text] of Object.entries(numbers)) if (text !== undefined && !(Number(text) > 0 && Number(text) < 1e6)) return wrong(`--${name} is "${text}"; expected a number above 0`)
    if (Number(values.duration) < 3) return wrong(`--duration is ${values.duration} s; expected at least 3`)
    if (values.peers !== 'documented' && values.peers !== 'chain') return wrong(`--peers is "${values.peers}"; expected documented or chain`)
    const faults: LabFault[] = []
    const durationMs = Number(values.duration) * 1000
    const keepsOwnFaults = !values.fault.includes('none')
    for (const text of keepsOwnFaults ? scenario.faults : []) faults.push(...ownFault(text, durationMs))
    for (const text of values.fault) {
      if (text === 'none') continue
      const read = readFault(text)
      if (!read.ok) return wrong(read.message)
      faults.push(read.fault)
    }
    return {
      kind: 'run',
      options: {
        scenario,
        arms: arms as ArmName[],
        ratePerS: values.rate === undefined ? null : Number(values.rate),
        durationMs,
        faults,
        keepsOwnFaults,
        seed: Math.round(Number(values.seed)),
        runs: Math.round(Number(values.runs)),
        peerLimits: values.peers,
        standIns: values['stand-ins'],
        isJson: values.json,
        reportPath: values.report ?? null,
        picturePath: values.picture ?? null,
      },
    }
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
}

/** A scenario's own fault, shorter or longer as the run is. */
function ownFault(text: string, durationMs: number): LabFault[] {
  const read = readFault(text)
  if (!read.ok) return []
  const { atMs, forMs } = read.fault
  const shrink = durationMs / DEFAULT_DURATION_MS
  return [{ ...read.fault, atMs: Math.round(atMs * shrink), forMs: forMs === null ? null : Math.round(forMs * shrink) }]
}

function readFaultCommand(text: string | undefined): Asked {
  if (text === undefined) return wrong(`fault: expected ${FAULT_HELP}`)
  const read = readFault(text)
  return read.ok ? { kind: 'fault', text } : wrong(read.message)
}

function wrong(message: string): Asked {
  return { kind: 'wrong', message }
}
