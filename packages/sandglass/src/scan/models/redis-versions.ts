import { compareVersions } from '../../model/default-of.js'

/** The versions of redis 4: `@redis/client` 1 belongs to it. */
export const isFour = (version: string | null): boolean => version !== null && /^[v^~]?[14]\./.test(version)

/** The versions of redis before 4, whose options have other names. */
export const isBeforeFour = (version: string | null): boolean => version !== null && /^[v^~]?[023]\./.test(version)

/** `socketTimeout` came with version 5.1. */
export const isBeforeSocketTimeout = (version: string | null): boolean => version !== null && compareVersions(version, '5.1') < 0

/** What ends a command, by version and by where the options of a connection stand (the signal of `commandOptions` in 4 leaves the queue of commands out of step); the queue of a connection that is down is open where nothing else ends the wait in it. */
export function remedyOf(version: string | null, isQueueOpen: boolean, within = ''): string {
  if (isBeforeSocketTimeout(version)) return 'a race with a timer: socketTimeout came with redis 5.1'
  const off = isQueueOpen ? ' and disableOfflineQueue: true' : ''
  const since = version === null ? ', from redis 5.1 on' : ''
  return `${within === '' ? '' : `in ${within}: `}socket: { socketTimeout: …, reconnectStrategy: … } with a shorter pingInterval: … (ms)${off}${since}; silence ends an idle connection too, and by default none follows it`
}
