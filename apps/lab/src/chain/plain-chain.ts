import { parse } from 'yaml'

/** A value of a chain file as YAML gives it. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

/** A call as it is written in a chain file. */
export interface PlainCall {
  [key: string]: Plain
  to: string
}

/** One step of an operation: a call, or calls made together. */
export type PlainStep = PlainCall | { parallel: PlainCall[] }

/** An operation as it is written. */
export interface PlainOperation {
  [key: string]: Plain | PlainStep[] | undefined
  calls?: PlainStep[]
}

/** A service as it is written. */
export interface PlainService {
  [key: string]: Plain | Record<string, PlainOperation> | undefined
  operations: Record<string, PlainOperation>
}

/** A chain file's content, to be changed and written again; that it is sound was checked before. */
export interface PlainChain {
  [key: string]: unknown
  defaults?: { [key: string]: Plain }
  journeys: Record<string, { [key: string]: Plain }>
  services: Record<string, PlainService>
  scenarios?: Record<string, { [key: string]: Plain }>
}

/** Reads the text of a chain file that `sandglass check` accepts. */
export function plainChain(text: string): PlainChain {
  return parse(text) as PlainChain
}

/** All calls of a chain, each with the service that makes it. */
export function plainCalls(
  chain: PlainChain,
): { readonly service: PlainService; readonly serviceName: string; readonly call: PlainCall }[] {
  return Object.entries(chain.services).flatMap(([serviceName, service]) =>
    Object.values(service.operations).flatMap(({ calls = [] }) =>
      calls
        .flatMap((step) =>
          'parallel' in step && Array.isArray(step['parallel']) ? (step['parallel'] as PlainCall[]) : [step as PlainCall],
        )
        .map((call) => ({ service, serviceName, call })),
    ),
  )
}

/** The kind of a service as it is written, `service` where it is not. */
export function kindOf(service: PlainService): string {
  return typeof service['kind'] === 'string' ? service['kind'] : 'service'
}
