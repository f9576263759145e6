import type { Module } from '../syntax/module.js'
import { walk } from '../syntax/walk.js'

const MAY_HAVE = /<\/|\/>/

/** True for a module with JSX in it: `.tsx` alone is a name that some give to all their files. */
export function hasMarkup({ source, program }: Module): boolean {
  if (!/\.[jt]sx$/.test(source.file) || !MAY_HAVE.test(source.text)) return false
  let found = false
  walk(program, ({ type }) => {
    found ||= type === 'JSXElement' || type === 'JSXFragment'
    return !found
  })
  return found
}
