import { coversVersion } from '../../model/default-of.js'
import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import type { LibraryModel, Lookalike, Site } from './library-model.js'

const PACKAGES = ['@fastify/http-proxy', '@fastify/reply-from']
/** From these versions of both on, undici is one with the limits of the table. */
const JUDGED = '>=9'
const ID = 'fastify-reply-from'
/** Options that put something else in the place of undici, or that only newer versions look at. */
const OTHERS = ['http', 'http2', 'replyOptions.timeout']

/** What Fastify hands requests on with: a plugin, so that its registering is the call. */
export const fastifyProxyModel: LibraryModel = {
  id: ID,
  packages: PACKAGES,
  clients: [],
  calls: [],
  optionsOf: ({ args: [, options] }) => options,
  looksLike: ({ callee, args: [plugin] }: Lookalike) =>
    callee.kind === 'member' &&
    callee.name === 'register' &&
    plugin?.kind === 'external' &&
    PACKAGES.includes(plugin.package) &&
    /^(default)?$/.test(plugin.path.join('.')),
  read,
}

function read(site: Site): Reading {
  const [, options] = site.args
  const setting = (name: string) => settingIn(options, name, site.evaluator)
  const remedy = 'undici: { headersTimeout: …, bodyTimeout: … } (ms)'
  const limit = (name: string, kind: 'headers' | 'silence') => limitFrom(setting(name), site, { setting: name, kind, default: [ID, name] })
  const isJudged = site.version !== null && coversVersion(JUDGED, site.version) && options?.kind !== 'function'
  const other = isJudged ? OTHERS.find((name) => setting(name).state !== 'absent') : 'options'
  if (other !== undefined) {
    const unknown: LimitState = { state: 'unknown', name: other, why: 'it may have limits of its own' }
    return readingOf({ phases: [{ what: 'the answer', kind: 'total', limit: unknown }], remedy })
  }
  return readingOf({
    phases: [
      { what: 'the headers', kind: 'headers', limit: limit('undici.headersTimeout', 'headers') },
      { what: 'each part of the body', kind: 'silence', limit: limit('undici.bodyTimeout', 'silence') },
    ],
    remedy,
  })
}
