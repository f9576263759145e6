import { holds } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { signalIn } from '../signals/signal-in.js'
import type { LibraryModel } from './library-model.js'

/** The client of ClickHouse: 30 s of silence; the signal of a query is over at the headers, and the body is left with those. */
export const clickhouseModel: LibraryModel = {
  id: 'clickhouse-js',
  packages: ['@clickhouse/client'],
  clients: [{ kind: 'client', on: null, made: ['createClient'], types: ['ClickHouseClient'], optionsAt: 0 }],
  calls: [{ on: 'client', method: /^(query|insert|command|exec)$/, optionsAt: 0 }],
  read(site) {
    const signal = signalIn(site, site.options, 'abort_signal')
    const timeout = limitOf(
      { ...site, options: undefined },
      { setting: 'request_timeout', kind: 'silence', default: ['clickhouse-js', 'request_timeout'] },
    )
    const limit = holds(signal) ? { ...signal, kind: 'headers' as const } : timeout
    return readingOf({ phases: [{ what: 'the answer', kind: 'silence', limit }], remedy: 'request_timeout: … (ms)' })
  },
}
