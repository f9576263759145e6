import { compareVersions } from '../../model/default-of.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingIn, settingOfCall } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import type { Term } from '../terms/term.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import { endedByFetch, silenceOfFetch } from './fetch-phases.js'
import type { LibraryModel, Site } from './library-model.js'
import { replacedTransport } from './replaced-transport.js'

const METHOD =
  /^[\w.]+\.(create|createAndPoll|createAndRun|parse|stream|list|retrieve|update|del|delete|cancel|edit|generate|runTools|upload|countTokens|batches)$/

/**
 * The clients that OpenAI and Anthropic generate: 10 minutes to the headers of each attempt, of which the `fetch` of Node leaves five, and two
 * more attempts, also after a timeout.
 */
function generatedClient(id: string, packages: readonly string[], names: readonly string[]): LibraryModel {
  return {
    id,
    packages,
    clients: [{ kind: 'client', on: null, made: names, types: names, optionsAt: 0 }],
    calls: [{ on: 'client', method: METHOD, optionsAt: 1 }],
    read(called) {
      const site = { ...called, options: optionsOf(called) }
      const timeout = limitOf(site, { setting: 'timeout', kind: 'headers', default: [id, 'timeout'] })
      const own = endedByFetch(timeout, (hasOwnFetch(id, site) ? null : silenceOfFetch(site)) ?? timeout)
      // What somebody wrote holds whatever asks; of a default nobody can tell whether that is reached.
      const replaced = own.state === 'default' ? replacedTransport(site, [site.client?.options, site.options], TRANSPORT) : null
      return readingOf({
        overall: signalIn(site, site.options),
        phases: [{ what: 'the answer', kind: 'headers', limit: replaced ?? own }],
        ...triesOf(
          attemptsOf(site, { settings: ['maxRetries'], default: [id, 'maxRetries'], waitMs: (retries) => doublingMs(retries, 500, 8000) }),
        ),
        remedy: 'timeout: … (ms) and maxRetries: …',
      })
    },
  }
}

const TRANSPORT = { agents: ['httpAgent'], others: ['fetch', 'fetchOptions'] }

/** The first versions over the `fetch` of Node; those before brought node-fetch. */
const OVER_FETCH_SINCE: Readonly<Record<string, string>> = { openai: '5.0', anthropic: '0.50' }

/** Older ones bring a `fetch` of their own, with no other limit, and so does a browser, unless another one is handed in. */
function hasOwnFetch(id: string, { version, client, evaluator }: Site): boolean {
  const of = (name: string) => settingOfCall(undefined, client, name, evaluator).setting
  const inBrowser = of('dangerouslyAllowBrowser')
  const since = OVER_FETCH_SINCE[id]
  const isOld = since !== undefined && version !== null && compareVersions(version, since) < 0
  return (isOld || (inBrowser.state === 'given' && inBrowser.value === true)) && of('fetch').state === 'absent'
}

/** `list(options)`, `retrieve(id, options)`, `create(body, options)`, `retrieve(id, params, options)`: what has one of the options' names. */
function optionsOf({ args, options, evaluator }: Site): Term | undefined {
  const areOptions = (term: Term | undefined) =>
    term?.kind === 'object' && ['timeout', 'maxRetries', 'signal'].some((name) => settingIn(term, name, evaluator).state !== 'absent')
  const [first, , third] = args
  if (areOptions(third)) return third
  if (options) return options
  return areOptions(first) ? first : undefined
}

/** The client of OpenAI. */
export const openaiModel: LibraryModel = generatedClient('openai', ['openai'], ['', 'OpenAI', 'AzureOpenAI'])

/** The client of Anthropic. */
export const anthropicModel: LibraryModel = generatedClient('anthropic', ['@anthropic-ai/sdk'], ['', 'Anthropic'])

/** The client of Groq, made by the same generator. */
export const groqModel: LibraryModel = generatedClient('groq', ['groq-sdk'], ['', 'Groq'])

/** The client of Together. */
export const togetherModel: LibraryModel = generatedClient('together', ['together-ai'], ['', 'Together'])
