import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type LimitsFile, serve } from '@sandglass/runtime'
import type { ServiceSpec } from '../chain/service-spec.js'
import type { Counters } from './counters.js'
import { createFifoSlots } from './fifo-slots.js'
import { statusFor } from './http-error.js'
import type { Perform } from './operation.js'

/** What a server needs to know of each operation. */
export interface Served {
  readonly perform: Perform
  readonly isDown: () => boolean
}

/** The header by which a request keeps its number on its way. */
export const REQUEST_HEADER = 'x-lab-request'

type Operations = ReadonlyMap<string, Served>

/** Makes the server of a service: with the runtime's admission and deadline where it honours one, else as servers are. */
export function createServiceServer(spec: ServiceSpec, operations: Operations, counters: Counters, limits: LimitsFile | null): Server {
  const handle = limits === null ? plainHandler(spec, operations, counters) : deadlineHandler(spec, operations, counters, limits)
  let open = 0
  const server = createServer((request, response) => {
    counters.arrivals += 1
    open += 1
    counters.queued = open - counters.inFlight
    response.on('close', () => {
      open -= 1
      counters.queued = Math.max(0, open - counters.inFlight)
      if (!response.writableFinished) counters.left += 1
      else if (response.statusCode < 300) counters.good += 1
      else counters.failed += 1
    })
    if (operations.get(nameOf(request))?.isDown() === true) return void response.destroy()
    handle(request, response)
  })
  server.keepAliveTimeout = 60_000
  server.requestTimeout = 0
  return server
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

function plainHandler(spec: ServiceSpec, operations: Operations, counters: Counters): Handler {
  const slots = createFifoSlots(spec.slots, spec.queueLimit)
  return (request, response) => {
    const isTaken = slots.take(() => void work(request, response, undefined, operations, counters).finally(() => slots.give()))
    if (!isTaken) answer(response, 503)
  }
}

function deadlineHandler({ promiseMs }: ServiceSpec, operations: Operations, counters: Counters, limits: LimitsFile): Handler {
  return serve<IncomingMessage, ServerResponse>((request, response, { signal }) => work(request, response, signal, operations, counters), {
    budgetMs: promiseMs,
    maxBudgetMs: promiseMs,
    limits,
    operation: nameOf,
    onError: () => undefined,
  })
}

async function work(
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal | undefined,
  operations: Operations,
  counters: Counters,
): Promise<void> {
  const startedAt = performance.now()
  let leftAt = response.destroyed ? startedAt : Infinity
  response.on('close', () => {
    if (!response.writableFinished) leftAt = performance.now()
  })
  counters.inFlight += 1
  try {
    await perform(request, response, signal, operations, counters)
  } finally {
    const endedAt = performance.now()
    counters.inFlight -= 1
    counters.busyMs += endedAt - startedAt
    if (leftAt < endedAt) counters.orphanedMs += endedAt - Math.max(leftAt, startedAt)
  }
}

async function perform(
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal | undefined,
  operations: Operations,
  counters: Counters,
): Promise<void> {
  const operation = operations.get(nameOf(request))
  if (operation === undefined) return answer(response, 404)
  try {
    const { isDegraded } = await operation.perform(Number(request.headers[REQUEST_HEADER] ?? 0), signal)
    if (isDegraded) counters.degraded += 1
    // The runtime marks degraded answers itself; a service without it has to do so by hand.
    if (isDegraded && signal === undefined) response.setHeader('request-degraded', 'unknown;tier=default')
    answer(response, 200)
  } catch (error) {
    // With a deadline the runtime answers for its own errors.
    if (signal !== undefined) throw error
    answer(response, statusFor(error))
  }
}

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent || response.destroyed) return
  response.statusCode = status
  response.end(status === 200 ? '{"ok":true}' : '{"ok":false}')
}

function nameOf(request: IncomingMessage): string {
  return (request.url ?? '/').slice(1)
}
