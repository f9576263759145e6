import type { LimitMs } from '../model/chain.js'
import { declared, type Source, type Sourced } from '../model/sourced.js'
import { addDead, addNote } from './facts.js'
import type { ProcessFacts, ProcessServer } from './gunicorn-settings.js'
import { type IniDialect, readIni } from './ini-lines.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'
import { templateIn } from './templates.js'

/** Comments stand on lines of their own; what stands behind a value is part of it. */
const DIALECT: IniDialect = { comments: '#;', inline: '', quotes: false }

/** The options of the `[uwsgi]` section by their long names; `%(name)` of one set above is put in, the last one holds. */
export function uwsgiOptions(source: Source): ReadonlyMap<string, Written> {
  const options = new Map<string, Written>()
  for (const { section, key, value } of readIni(source, DIALECT)) {
    if (section !== 'uwsgi') continue
    const text = value.text.replace(
      /%\(([\w-]{1,60})\)/g,
      (whole, name: string) => options.get(name.replaceAll('_', '-'))?.text ?? `$${whole.slice(1)}`,
    )
    options.set(key.toLowerCase().replaceAll('_', '-'), { text, spot: value.spot })
  }
  return options
}

/** Looks up an option of uWSGI by its long name; `-` and `_` are one. */
export type UwsgiOptions = (name: string) => Written | undefined

/** uWSGI kills a worker whose request takes longer than `harakiri`; it works on processes x threads requests at once. */
export function uwsgiFacts(get: UwsgiOptions, server: ProcessServer): ProcessFacts {
  const setting = (key: string): Setting => ({ ...server, system: 'uwsgi', key, at: server.at })
  const processes = countFact(setting('processes'), get('processes') ?? get('workers'))
  const threads = countFact(setting('threads'), get('threads'))
  const requestMs = secondsOf(setting('harakiri'), get('harakiri'))
  const keepAlive = get('http-keepalive')
  const idleMs = keepAlive && keepAlive.text !== '' ? secondsOf(setting('http-keepalive'), keepAlive) : undefined
  for (const [name, why] of ELSEWHERE) {
    const written = get(name)
    if (written) addNote(server.draft, 'ignored', written.spot, `${name} ${why}`)
  }
  const isKnown = processes.value !== 'unknown' && threads.value !== 'unknown'
  const from = processes.origin.kind === 'declared' ? processes : threads
  return {
    ...(requestMs ? { limits: { spot: requestMs.origin.spot, requestMs } } : {}),
    concurrency: isKnown
      ? {
          ...from,
          value: Number(processes.value) * Number(threads.value),
          ...(threads.value === 1 ? {} : { worked: `${processes.value} processes x ${threads.value} threads` }),
        }
      : { ...from, value: 'unknown' },
    ...(typeof idleMs?.value === 'number' && idleMs.value > 0 ? { idleMs } : {}),
    processes,
    listens: ['http', 'http-socket', 'socket', 'uwsgi-socket', 'fastcgi-socket'].flatMap((name) => get(name) ?? []),
  }
}

const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['http-timeout', "ends the wait of uWSGI's own HTTP router; the worker goes on until harakiri"],
  ['socket-timeout', 'limits the gap between two parts of a request or an answer, not the work'],
  ['mule-harakiri', 'limits mules, no request'],
  ['spooler-harakiri', 'limits spooled jobs, no request'],
]

/** uWSGI reads the digits a number begins with and drops the rest without a word: `5m` is 5 s. */
function secondsOf(setting: Setting, written: Written | undefined): Sourced<LimitMs> | undefined {
  const digits = written ? (/^\d{1,9}/.exec(written.text)?.[0] ?? '0') : ''
  if (!written || digits === written.text || templateIn(written.text) !== null || /[%$@]\(/.test(written.text))
    return limitFact(setting, written, 'int-s', 'none')
  const taken = limitFact(setting, { text: digits, spot: written.spot }, 'int-s', 'none')
  addDead(setting.draft, {
    setting: setting.key,
    written: written.text,
    spot: written.spot,
    because: 'uWSGI takes the number of seconds it begins with, and drops what stands behind it',
    effective: `${digits} s`,
  })
  return taken ?? declared('none', written.spot)
}
