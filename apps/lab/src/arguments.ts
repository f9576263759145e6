import { parseArgs } from 'node:util'
import { type ArmName, armNames } from './arms/arm.js'
import type { PeerLimits } from './arms/peer-limits.js'
import { FAULT_HELP, type LabFault, readFault } from './fault/lab-fault.js'
import { type LabScenario, labScenarios } from './run/scenario.js'

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

const FLAGS = {
  arms: { type: 'string' },
  rate: { type: 'string' },
  duration: { type: 'string', default: '14' },
  fault: { type: 'string', multiple: true, default: [] as string[] },
  runs: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  peers: { type: 'string', default: 'documented' },
  'stand-ins': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  report: { type: 'string' },
  picture: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Reads the command line. */
export function readArguments(args: readonly string[]): Asked {
  try {
    if (args[0] === 'fault') return { kind: 'fault', text: readFaultText(args[1]) }
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: FLAGS })
    if (values.help) return { kind: 'help' }
    const scenario = readScenarioName(positionals[0])
    const durationMs = numberFrom('duration', values.duration, 3) * 1000
    const keepsOwnFaults = !values.fault.includes('none')
    const own = keepsOwnFaults ? scenario.faults.map((text) => shrunk(faultFrom(text), durationMs / DEFAULT_DURATION_MS)) : []
    const options: LabOptions = {
      scenario,
      arms: (values.arms?.split(',') ?? armNames).map((name) => readArm(name.trim())),
      ratePerS: values.rate === undefined ? null : numberFrom('rate', values.rate),
      durationMs,
      faults: [...own, ...values.fault.filter((text) => text !== 'none').map(faultFrom)],
      keepsOwnFaults,
      seed: Math.round(numberFrom('seed', values.seed)),
      runs: Math.max(1, Math.round(numberFrom('runs', values.runs))),
      peerLimits: readPeers(values.peers),
      standIns: values['stand-ins'],
      isJson: values.json,
      reportPath: values.report ?? null,
      picturePath: values.picture ?? null,
    }
    return { kind: 'run', options }
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) }
  }
}

function readScenarioName(name = 'avalanche'): LabScenario {
  const scenario = labScenarios.find((one) => one.name === name)
  if (!scenario) throw new TypeError(`there is no scenario "${name}"; there are ${labScenarios.map((one) => one.name).join(', ')}`)
  return scenario
}

function readArm(name: string): ArmName {
  const arm = armNames.find((one) => one === name)
  if (arm === undefined) throw new TypeError(`there is no arm "${name}"; there are ${armNames.join(', ')}`)
  return arm
}

function readPeers(text: string): PeerLimits {
  if (text !== 'documented' && text !== 'chain') throw new TypeError(`--peers is "${text}"; expected documented or chain`)
  return text
}

function numberFrom(flag: string, text: string, least = 0): number {
  const value = Number(text)
  if (!(value > 0 && value < 1e6)) throw new TypeError(`--${flag} is "${text}"; expected a number above 0`)
  if (value < least) throw new TypeError(`--${flag} is ${text} s; expected at least ${least}`)
  return value
}

function faultFrom(text: string): LabFault {
  const read = readFault(text)
  if (!read.ok) throw new TypeError(read.message)
  return read.fault
}

function readFaultText(text: string | undefined): string {
  if (text === undefined) throw new TypeError(`fault: expected ${FAULT_HELP}`)
  return faultFrom(text) && text
}

/** A scenario's own fault, shorter or longer as the run is. */
function shrunk(fault: LabFault, factor: number): LabFault {
  const { atMs, forMs } = fault
  return { ...fault, atMs: Math.round(atMs * factor), forMs: forMs === null ? null : Math.round(forMs * factor) }
}
