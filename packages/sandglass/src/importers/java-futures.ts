import type { Source } from '../model/sourced.js'
import { type JavaToken, javaTokens } from './java-tokens.js'

/** A method of an interface, and whether it gives a future of what it works out. */
export interface InterfaceMethod {
  readonly name: string
  readonly isFuture: boolean
}

/**
 * The methods of an interface, as its file declares them; null where that is not the file, or where it has others that stand elsewhere.
 * A type is known by its name alone.
 */
export function interfaceMethods({ text }: Source, fullName: string): readonly InterfaceMethod[] | null {
  const dot = fullName.lastIndexOf('.')
  const [owner, name] = [fullName.slice(0, dot), fullName.slice(dot + 1)]
  if (dot < 0 || !text.includes(name)) return null
  const tokens = javaTokens(text)
  const packageAt = tokens.findIndex((token) => token.text === 'package')
  const semicolon = tokens.findIndex((token) => token.text === ';')
  if (joined(tokens.slice(packageAt + 1, semicolon)) !== owner) return null
  const head = tokens.findIndex((token, at) => token.text === 'interface' && tokens[at + 1]?.text === name)
  const open = tokens.findIndex((token, at) => at > head && token.text === '{')
  if (head < 0 || open < 0 || tokens.slice(head, open).some((token) => token.text === 'extends')) return null
  return membersOf(tokens, open + 1).flatMap(methodOf)
}

function joined(tokens: readonly JavaToken[]): string {
  return tokens.map(({ text }) => text).join('')
}

/** What stands between the braces of a type, cut where a member ends: at `;`, or behind its body. */
function membersOf(tokens: readonly JavaToken[], from: number): readonly (readonly JavaToken[])[] {
  const members: (readonly JavaToken[])[] = []
  let member: JavaToken[] = []
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    if (token.text === '}' && token.kind === 'mark' && depth-- === 0) break
    const isBody = depth > 0
    if (token.text === '{' && token.kind === 'mark') depth++
    if (depth === 0 && (token.text === ';' || token.text === '}') && token.kind === 'mark') {
      members.push(member)
      member = []
    } else if (!isBody && depth === 0) member.push(token)
  }
  return members
}

const MODIFIERS = new Set(['public', 'abstract', 'default', 'synchronized', 'final', 'strictfp'])
const TYPES = new Set(['class', 'interface', 'enum', 'record'])

function methodOf(member: readonly JavaToken[]): readonly InterfaceMethod[] {
  const own = withoutAnnotations(member).filter(({ text }) => !MODIFIERS.has(text))
  const round = own.findIndex(({ text }) => text === '(')
  const name = own[round - 1]
  const head = own.slice(0, Math.max(0, round - 1))
  if (round < 2 || name?.kind !== 'name' || head.some(({ text }) => text === 'static' || text === '=' || TYPES.has(text))) return []
  return [{ name: name.text, isFuture: /(^|>|\.)CompletableFuture(<|$)/.test(joined(head).replace(/<.*>$/, '')) }]
}

function withoutAnnotations(tokens: readonly JavaToken[]): readonly JavaToken[] {
  const left: JavaToken[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.text !== '@') {
      const token = tokens[at]
      if (token) left.push(token)
      continue
    }
    at++
    while (tokens[at + 1]?.text === '.') at += 2
    if (tokens[at + 1]?.text === '(') at = closing(tokens, at + 1)
  }
  return left
}

function closing(tokens: readonly JavaToken[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.text === '(') depth++
    if (tokens[at]?.text === ')' && --depth === 0) return at
  }
  return tokens.length
}
