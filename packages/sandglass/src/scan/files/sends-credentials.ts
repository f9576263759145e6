import type { Module } from '../syntax/module.js'
import { walk } from '../syntax/walk.js'

/** `fetch(u, { credentials: 'include' })`: whether cookies go along is asked of a browser alone. */
export function sendsCredentials({ source, calls }: Module): boolean {
  if (!/\bcredentials\b/.test(source.text)) return false
  return calls.some((call) => {
    if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'fetch') return false
    const options = call.arguments[1]
    let found = false
    if (options)
      walk(options, (node) => {
        found ||= node.type === 'Property' && node.key.type === 'Identifier' && node.key.name === 'credentials'
        return !found
      })
    return found
  })
}
