import type { ClientUses } from './library-model.js'

/** Members of a client that send no command: events, lifecycle, settings. */
const NO_COMMANDS = [
  'on',
  'once',
  'off',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'prependListener',
  'emit',
  'listenerCount',
  'setMaxListeners',
  'connect',
  'disconnect',
  'destroy',
  'close',
  'end',
  'quit',
  'unref',
  'ref',
  'duplicate',
  'defineCommand',
  'createBuiltinCommand',
  'getBuiltinCommands',
  'pipeline',
  'multi',
  'nodes',
  'scanStream',
  'sscanStream',
  'hscanStream',
  'zscanStream',
  'scanIterator',
  'hScanIterator',
  'sScanIterator',
  'zScanIterator',
  'isReady',
  'withCommandOptions',
  'withTypeMapping',
  'legacy',
  'asap',
]

/** Commands that wait by their nature, or for as long as they say themselves. */
const WAITING = [
  'blpop',
  'brpop',
  'brpoplpush',
  'blmove',
  'blmpop',
  'bzpopmin',
  'bzpopmax',
  'bzmpop',
  'xread',
  'xreadgroup',
  'wait',
  'waitaof',
  'monitor',
  'subscribe',
  'psubscribe',
  'ssubscribe',
  'unsubscribe',
  'punsubscribe',
  'sunsubscribe',
  'pubsub',
]

const notCommands = new Set(NO_COMMANDS.map((name) => name.toLowerCase()))
const waiting = new Set(WAITING)

/** True for a member that sends a command. */
export const COMMAND: RegExp = new RegExp(
  `^(?!(?:${[...NO_COMMANDS, ...WAITING.filter((name) => /subscribe|monitor/.test(name))].join('|')})(?:Buffer)?$)(?:(?:json|ft|ts|bf|cf|cms|topk|tdigest|graph)\\.)?[a-z]\\w*$`,
  'i',
)

/** True for a command that waits by its nature: for work, for as long as it says itself. */
export function isWaitingCommand(method: string): boolean {
  return waiting.has(method.toLowerCase().replace(/buffer$/, ''))
}

/** A batch that is sent at once. */
export const BATCH: RegExp = /^(pipeline|multi)\(\)(\.\w+\(\))*\.(exec|execBuffer|execAsPipeline|execTyped)$/

/** True for a client that only ever subscribes or waits for work: it has no limit on purpose. */
export function onlyWaits(identity: string | null, uses: ClientUses): boolean {
  if (identity === null || uses.passedTo(identity).length > 0) return false
  const members = uses.membersOf(identity).map((name) => name.toLowerCase())
  return members.some((name) => waiting.has(name)) && members.every((name) => waiting.has(name) || notCommands.has(name))
}

/** True for a client that is given to a queue's workers and nothing else: they wait without a limit by design. */
export function onlyForQueues(identity: string | null, uses: ClientUses): boolean {
  const passed = identity === null ? [] : uses.passedTo(identity)
  return passed.length > 0 && passed.every(({ callee }) => callee.kind === 'external' && /^(bullmq|bull|bee-queue)$/.test(callee.package))
}

/** True for a client that workers of BullMQ wait for work with. */
export function servesWorkers(identity: string | null, uses: ClientUses): boolean {
  const passed = identity === null ? [] : uses.passedTo(identity)
  return passed.some(
    ({ callee }) => callee.kind === 'external' && callee.package === 'bullmq' && /^(Worker|QueueEvents)$/.test(callee.path.join('.')),
  )
}
