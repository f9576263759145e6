import type { PlainChain } from '../chain/plain-chain.js'

/** How a service protects its calls. */
export type Protection = 'plain' | 'sandglass' | 'cockatiel' | 'opossum'

/** The names of the arms, in the order they run. */
export const armNames = ['uniform', 'funnel', 'sandglass', 'cockatiel', 'opossum'] as const

/** One of the arms. */
export type ArmName = (typeof armNames)[number]

/** One way of protecting the same services. */
export interface Arm {
  readonly name: ArmName
  readonly protection: Protection
  /** One line for people. */
  readonly what: string
  /** The chain as this arm has it: what its services are made from, and what the simulator is given. */
  readonly chainOf: (chain: PlainChain) => PlainChain
}
