import type { LimitMs } from '../model/chain.js'
import { compareVersions } from '../model/default-of.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { addDead, addNote } from './facts.js'
import { limitFact } from './limit-fact.js'
import type { Pass } from './nginx-hop.js'
import { CONNECTION_HEADER } from './nginx-scope.js'
import type { Upstream } from './nginx-upstream.js'

/** From here on connections to peers are kept without being asked for. */
const KEPT_SINCE = '1.29.7'

/** How long an idle connection to a peer is kept; undefined where none is kept, or where that is not known. */
export function peerKeepAlive(pass: Pass, upstream: Upstream | undefined): Sourced<LimitMs> | undefined {
  if (!upstream || !keeps(pass, upstream)) return undefined
  const at = upstream.keepalive?.spot ?? upstream.spot
  const setting = {
    draft: pass.draft,
    system: 'nginx',
    version: pass.version,
    key: 'upstream keepalive_timeout',
    shown: 'keepalive_timeout',
    at,
  }
  return limitFact(setting, upstream.keepaliveTimeout, 'nginx')
}

function keeps(pass: Pass, upstream: Upstream): boolean {
  const { family } = pass
  if (family === 'uwsgi' || family === 'scgi' || family === 'stream proxy') return false
  const missing = missingFor(pass)
  const isAsked = upstream.keepalive !== undefined && upstream.keepalive.text !== '0'
  if (isSince(pass)) return family === 'proxy' ? isNotRefused(pass, upstream) : isAsked && missing.length === 0
  if (isAsked && missing.length > 0) sayMissing(pass, upstream, missing)
  if (!isAsked && upstream.keepaliveTimeout && pass.version === null)
    addNote(
      pass.draft,
      'unknown',
      upstream.keepaliveTimeout.spot,
      `keepalive_timeout: connections are kept since ${KEPT_SINCE} only, or with "keepalive"; the version is not known`,
    )
  return isAsked && missing.length === 0
}

function isSince({ version }: Pass): boolean {
  return version !== null && compareVersions(version, KEPT_SINCE) >= 0
}

/** What has to stand beside `keepalive` for it to have an effect. */
function missingFor({ family, scope }: Pass): readonly string[] {
  if (family === 'fastcgi') return scope.get('fastcgi_keep_conn')?.args[0]?.text === 'on' ? [] : ['fastcgi_keep_conn on']
  if (family !== 'proxy') return []
  const connection = scope.get(CONNECTION_HEADER)?.args[1]
  return [
    ...(scope.get('proxy_http_version')?.args[0]?.text === '1.1' ? [] : ['proxy_http_version 1.1']),
    ...(connection?.text === '' ? [] : ['proxy_set_header Connection ""']),
  ]
}

function isNotRefused(pass: Pass, { keepalive }: Upstream): boolean {
  const version = pass.scope.get('proxy_http_version')?.args[0]
  if (version?.text === '1.0' && keepalive) sayDead(pass, keepalive, 'proxy_http_version 1.0 keeps no connection')
  const connection = pass.scope.get(CONNECTION_HEADER)?.args[1]
  return version?.text !== '1.0' && keepalive?.text !== '0' && (connection === undefined || connection.text === '')
}

/** Without what it needs, `keepalive` has no effect; where the version is not known, newer ones keep connections all the same. */
function sayMissing(pass: Pass, { keepalive }: Upstream, missing: readonly string[]): void {
  if (!keepalive) return
  const needs = missing.join(' and ')
  const isOld = pass.version !== null || pass.scope.get('proxy_http_version')?.args[0]?.text === '1.0' || pass.family === 'fastcgi'
  if (isOld) sayDead(pass, keepalive, `connections are kept with ${needs} alone`)
  else
    addNote(
      pass.draft,
      'unknown',
      keepalive.spot,
      `keepalive ${keepalive.text}: before ${KEPT_SINCE} no connection is kept without ${needs}; the version is not known`,
    )
}

function sayDead({ draft }: Pass, written: { readonly text: string; readonly spot: Spot }, because: string): void {
  addDead(draft, {
    setting: 'keepalive',
    written: written.text,
    spot: written.spot,
    because,
    effective: 'a new connection for each request',
  })
}
