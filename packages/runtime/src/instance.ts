import { epochNow } from './clock.js'

let name = ''

/** The name this process goes by on the wire (`from` of `request-budget-meta`): 1 to 64 of letters, digits and `. _ : - / @`. */
export function instanceName(): string {
  if (name === '') name = `node-${process.pid.toString(36)}-${Math.floor(epochNow() % 1e9).toString(36)}`
  return name
}

/** Gives this process a name of its own; throws RangeError for one that could not travel. */
export function setInstanceName(chosen: string): void {
  if (!/^[A-Za-z0-9._:@/-]{1,64}$/.test(chosen))
    throw new RangeError(`an instance name is 1 to 64 of letters, digits and . _ : - / @, not ${JSON.stringify(chosen.slice(0, 80))}`)
  name = chosen
}
