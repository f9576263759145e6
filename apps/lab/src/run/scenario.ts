import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type PlainChain, plainChain } from '../chain/plain-chain.js'

/** A chain of `examples/` that the lab plays. */
export interface LabScenario {
  readonly name: string
  /** Relative to the folder of the examples. */
  readonly file: string
  /** Which of the file's scenarios. */
  readonly scenario: string
  readonly what: string
  /** Faults beside the scenario's own, for a run of 14 s. */
  readonly faults: readonly string[]
}

/** What can be played. */
export const labScenarios: readonly LabScenario[] = [
  {
    name: 'avalanche',
    file: 'avalanche/sandglass.yaml',
    scenario: 'slow-inventory',
    what: 'an order, and an inventory database that turns slow',
    faults: [],
  },
  {
    name: 'confirm-order',
    file: 'confirm-order/sandglass.yaml',
    scenario: 'slow-payment',
    what: '800 ms promised, and a payment channel with a long tail; then a gateway that leaves too little time for it',
    faults: ['gateway.confirm:latency=+620ms@10500ms+1500ms'],
  },
  {
    name: 'long-chain',
    file: 'long-chain/repaired.yaml',
    scenario: 'slow-bank',
    what: 'seven services in a row, and a third party that becomes slow',
    faults: [],
  },
]

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url))

/** Reads a scenario's chain. */
export function readScenario({ file }: LabScenario): PlainChain {
  return plainChain(readFileSync(examples + file, 'utf8'))
}
