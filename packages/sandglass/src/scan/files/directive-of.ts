import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'

/** What a module says at its top of where it runs: `use client`, `use server`; null where it says nothing. */
export function directiveOf({ program }: Module): string | null {
  const first = program.body[0] as Node | undefined
  return first?.type === 'ExpressionStatement' && 'directive' in first ? (first.directive ?? null) : null
}
