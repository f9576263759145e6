import { parseDuration } from '@sandglass/runtime/core'
import type { Source } from '../model/sourced.js'
import { plainName, type SeenCall, type SeenService } from './first-chain.js'

/** An nginx as a proxy that calls what its `proxy_pass` lines name; limits above the first location hold for all. */
export function seenInNginx({ file, text }: Source): readonly SeenService[] {
  const calls = new Map<string, SeenCall>()
  const limits: Record<string, string> = {}
  const pending: { to: string; line: number }[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const directive = /^\s*(proxy_pass|proxy_connect_timeout|proxy_read_timeout)\s+([^;#]+);/.exec(line)
    if (!directive) continue
    const [, name = '', value = ''] = directive
    const host = /^https?:\/\/([A-Za-z0-9_.-]+)/.exec(value.trim())?.[1]
    if (name === 'proxy_pass' && host) pending.push({ to: plainName(host), line: index + 1 })
    if (name === 'proxy_connect_timeout') limits['connect'] = duration(value)
    if (name === 'proxy_read_timeout') limits['silence'] = duration(value)
  }
  for (const { to, line } of pending) calls.set(to, { to, why: `${file}:${line} proxy_pass`, ...(pending.length === 1 ? limits : {}) })
  return calls.size === 0 ? [] : [{ name: 'nginx', kind: 'proxy', why: file, calls: [...calls.values()] }]
}

/** nginx takes a number without a unit as seconds; what it takes besides is left to a person. */
function duration(value: string): string {
  const text = /^\d+$/.test(value.trim()) ? `${value.trim()}s` : value.trim()
  return parseDuration(text).ok ? text : 'unknown'
}
