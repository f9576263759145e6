import type { ServiceSpec } from '../chain/service-spec.js'
import type { Counters } from './counters.js'

/** What is wrong with an operation for a while; what is absent is as usual. */
export interface Trouble {
  readonly operation: string
  readonly times?: number
  readonly addMs?: number
  /** Factor of the speed of every slot. */
  readonly speed?: number
  readonly errorShare?: number
  readonly hangShare?: number
  readonly isDown?: boolean
  /** Share of the rows of a database that somebody has locked. */
  readonly lockShare?: number
}

/** Real servers that may stand behind a service. */
export interface Backing {
  readonly postgresUrl: string | null
  readonly redisUrl: string | null
  /** Name of the schema, and prefix of keys. */
  readonly prefix: string
}

/** What a service process is told. */
export type ToService =
  | {
      readonly type: 'start'
      readonly spec: ServiceSpec
      readonly ports: readonly (readonly [string, number])[]
      /** The file `sandglass compile` would write; only for the sandglass arm. */
      readonly limitsPath: string | null
      readonly backing: Backing
    }
  | { readonly type: 'trouble'; readonly troubles: readonly Trouble[] }
  | { readonly type: 'route'; readonly service: string; readonly port: number }
  | { readonly type: 'report' }
  | { readonly type: 'stop' }

/** What a service process tells. */
export type FromService =
  | { readonly type: 'listening'; readonly port: number; readonly behind: string }
  | { readonly type: 'counters'; readonly counters: Counters }
  | { readonly type: 'note'; readonly text: string }
