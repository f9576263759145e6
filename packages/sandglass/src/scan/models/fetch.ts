import { firstText } from '../calls/target-text.js'
import { readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import type { Term } from '../terms/term.js'
import { isGlobal } from '../terms/term.js'
import { untilCleared } from './cleared-timer.js'
import { fetchPhases } from './fetch-phases.js'
import type { LibraryModel } from './library-model.js'

/** `fetch` as Node has it. */
export const fetchModel: LibraryModel = {
  id: 'fetch',
  packages: ['global'],
  clients: [],
  calls: [{ on: null, method: /^fetch$/, optionsAt: 1 }],
  read: (site) => {
    const inRequest = requestOptions(site.args[0])
    const own = settingIn(site.options, 'signal', site.evaluator)
    return readingOf({
      overall: untilCleared(site, signalIn(site, own.state === 'absent' && inRequest ? inRequest : site.options)),
      phases: fetchPhases(site),
      remedy: 'signal: AbortSignal.timeout(…)',
    })
  },
  targetOf: ({ args }) => firstText(args[0]),
}

/** `fetch(new Request(url, { signal }))`. */
function requestOptions(term: Term | undefined): Term | undefined {
  return term?.kind === 'made' && isGlobal(term.callee, 'Request') ? term.args[1] : undefined
}
