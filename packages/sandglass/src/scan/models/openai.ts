import type { LibraryModel } from '../library-model.js'
import { limitOf } from '../limits.js'
import { readingOf } from '../reading.js'
import { signalIn } from '../signal-in.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'

/** The clients that OpenAI and Anthropic generate: 10 minutes for each attempt, and two more attempts, also after a timeout. */
function generatedClient(id: string, packages: readonly string[], names: readonly string[]): LibraryModel {
  return {
    id,
    packages,
    clients: [{ kind: 'client', on: null, made: names, types: names, optionsAt: 0 }],
    calls: [
      {
        on: 'client',
        method:
          /^[\w.]+\.(create|createAndPoll|createAndRun|parse|stream|list|retrieve|update|del|delete|cancel|edit|generate|runTools|upload|countTokens|batches)$/,
        optionsAt: 1,
      },
    ],
    read: (site) =>
      readingOf({
        overall: signalIn(site, site.options),
        attempt: limitOf(site, { setting: 'timeout', kind: 'total', default: [id, 'timeout'] }),
        ...triesOf(
          attemptsOf(site, { settings: ['maxRetries'], default: [id, 'maxRetries'], waitMs: (retries) => doublingMs(retries, 500, 8000) }),
        ),
        remedy: 'timeout: … (ms) and maxRetries: …',
      }),
  }
}

/** The client of OpenAI. */
export const openaiModel: LibraryModel = generatedClient('openai', ['openai'], ['', 'OpenAI', 'AzureOpenAI'])

/** The client of Anthropic. */
export const anthropicModel: LibraryModel = generatedClient('anthropic', ['@anthropic-ai/sdk'], ['', 'Anthropic'])
