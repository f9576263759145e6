import { calledName } from './called-name.js'
import { limitGuard, type ReadWrapper } from './wrapping.js'

const TIMEOUT = /time(d)?[-_]?out|deadline|timelimit|time_limit/i

/** A function that nobody can look into and that is called after a timeout: the call it gets may well be bounded. */
export const readUnknownTimeout: ReadWrapper = (wrapping) => {
  const { callee, node } = wrapping
  if (callee.kind === 'function' || callee.kind === 'class') return null
  const name = calledName(node.callee)
  if (name === null || !TIMEOUT.test(name) || name === 'setTimeout') return null
  return [limitGuard(wrapping, name, null, { cancels: true })]
}
