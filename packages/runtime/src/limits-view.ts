import type { CallLimits } from './call-options.js'
import type { AdmissionOptions } from './core/admission.js'
import { safetyRules } from './core/safety.js'
import { ConfigError } from './errors.js'
import type { InboundOptions } from './inbound.js'
import type { CallLimitsJson, CompiledLimits, ServerLimitsJson } from './limits-format.js'

/** Compiled limits as the runtime takes them. */
export interface LimitsView {
  readonly service: string
  /** What a call may do by the file, undefined where the file does not name it. */
  call(name: string): (CallLimits & Pick<CallLimitsJson, 'does'>) | undefined
  server(): Partial<InboundOptions>
  operation(name: string): AdmissionOptions
  /** The budget of an operation's requests that name none (ms), undefined where it has none of its own. */
  operationBudgetMs(name: string): number | undefined
}

const CALL_FIELDS: ReadonlySet<string> = new Set([
  'does',
  'timeoutMs',
  'attemptMs',
  'attempts',
  'backoff',
  'retryOn',
  'retryStartWithinMs',
  'retryBudget',
  'reserveMs',
  'floorMs',
  'idempotencyKey',
  'stateGuard',
  'chainStop',
  'breaker',
  'bulkhead',
  'hedge',
  'fallback',
])
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'budgetMs',
  'maxBudgetMs',
  'reserveMs',
  'admission',
  'concurrency',
  'queue',
  'chainStop',
  'operations',
])
const NUMBERS: readonly (keyof CallLimitsJson)[] = ['attemptMs', 'attempts', 'retryStartWithinMs', 'reserveMs', 'floorMs']

/** Reads the text of a limits file. Throws `ConfigError` with one line that names the field. */
export function readLimits(text: string): LimitsView {
  const json = parse(text)
  const { schemaVersion, service, server = {}, calls } = json
  if (schemaVersion !== 1) fail(`schemaVersion must be 1, not ${shown(schemaVersion)}`)
  if (typeof service !== 'string' || service === '') fail('service must be a name')
  if (!isObject(calls)) fail('calls must be an object of calls by name')
  if (!isObject(server)) fail('server must be an object')
  checkFields('server', server, SERVER_FIELDS)
  checkOperations(server.operations)
  for (const [name, limits] of Object.entries(calls)) checkCall(name, limits)
  return viewOf(json)
}

function viewOf({ service, server = {}, calls }: CompiledLimits): LimitsView {
  return {
    service,
    call(name) {
      const found = Object.hasOwn(calls, name) ? calls[name] : undefined
      return found === undefined ? undefined : callLimits(found, server)
    },
    server() {
      const { chainStop: _chainStop, operations: _operations, ...options } = server
      return options
    },
    operation(name) {
      const floorMs = operationOf(server, name)?.floorMs
      return floorMs === undefined ? {} : { floorMs }
    },
    operationBudgetMs: (name) => operationOf(server, name)?.budgetMs,
  }
}

function operationOf(
  { operations }: ServerLimitsJson,
  name: string,
): { readonly floorMs?: number; readonly budgetMs?: number } | undefined {
  return operations !== undefined && Object.hasOwn(operations, name) ? operations[name] : undefined
}

function checkOperations(operations: unknown): void {
  if (operations === undefined) return
  if (!isObject(operations)) fail('server.operations must be an object of operations by name')
  for (const [name, operation] of Object.entries(operations)) {
    const at = `server.operations[${shown(name)}]`
    if (!isObject(operation)) fail(`${at} must be an object`)
    for (const field of ['floorMs', 'budgetMs']) {
      if (operation[field] !== undefined && !isDuration(operation[field]))
        fail(`${at}.${field} must be ms above 0, not ${shown(operation[field])}`)
    }
  }
}

function callLimits(
  { timeoutMs, fallback: _tiers, ...limits }: CallLimitsJson,
  server: ServerLimitsJson,
): CallLimits & Pick<CallLimitsJson, 'does'> {
  return {
    ...(server.chainStop !== undefined && { chainStop: server.chainStop }),
    ...limits,
    ...(timeoutMs !== undefined && { timeoutMs: timeoutMs === 'none' ? Infinity : timeoutMs }),
  }
}

function parse(text: string): CompiledLimits {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    fail(`is not JSON: ${(error as Error).message.split('\n')[0]}`)
  }
  if (!isObject(json)) fail('must be one JSON object')
  return json as unknown as CompiledLimits
}

function checkCall(name: string, limits: unknown): asserts limits is CallLimitsJson {
  const at = `calls[${shown(name)}]`
  if (!isObject(limits)) fail(`${at} must be an object`)
  checkFields(at, limits, CALL_FIELDS)
  const { does, timeoutMs } = limits
  if (typeof does !== 'string' || !Object.hasOwn(safetyRules, does))
    fail(`${at}.does must be one of ${Object.keys(safetyRules).join(', ')}, not ${shown(does)}`)
  if (timeoutMs !== undefined && timeoutMs !== 'none' && !isDuration(timeoutMs))
    fail(`${at}.timeoutMs must be ms above 0 or "none", not ${shown(timeoutMs)}`)
  for (const field of NUMBERS) {
    const value = limits[field]
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      fail(`${at}.${field} must be a number of 0 or more, not ${shown(value)}`)
  }
}

function checkFields(at: string, object: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(object).find((field) => !known.has(field))
  if (unknown !== undefined) fail(`${at} has no field ${shown(unknown)}`)
}

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && value > 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
}

function fail(message: string): never {
  throw new ConfigError(message)
}
