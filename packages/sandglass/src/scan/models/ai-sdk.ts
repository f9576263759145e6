import { compareVersions } from '../../model/default-of.js'
import type { LimitState } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { earlier } from '../signals/signal-limit.js'
import type { Term } from '../terms/term.js'
import { asksOtherwise } from './ai-provider.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import { silenceOfFetch } from './fetch-phases.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'

const ASKING = /^(generate(Text|Object)|stream(Text|Object)|embed(Many)?|rerank|(experimental_)?(generate(Image|Speech|Video)|transcribe))$/

/** The AI SDK of Vercel: its providers ask over the `fetch` of Node, up to three times. */
export const aiSdkModel: LibraryModel = {
  id: 'ai-sdk',
  packages: ['ai'],
  clients: [
    {
      kind: 'agent',
      on: null,
      made: ['ToolLoopAgent', 'Experimental_Agent'],
      types: ['ToolLoopAgent', 'Experimental_Agent'],
      optionsAt: 0,
    },
  ],
  calls: [
    { on: null, method: ASKING, optionsAt: 0 },
    { on: 'agent', method: /^(generate|stream)$/, optionsAt: 0 },
  ],
  read,
}

function read(site: Site): Reading {
  const other = otherWay(site)
  const here = atCall(site)
  const silence: LimitState = other === null ? silenceOfFetch(here) : { state: 'unknown', name: 'model', why: other }
  return readingOf({
    overall: earlier(signalIn(here, site.options, 'abortSignal'), totalOf(here)),
    phases: [{ what: 'the answer', kind: 'silence', limit: silence }],
    ...triesAt(site),
    remedy: 'abortSignal: AbortSignal.timeout(…)',
  })
}

/** An agent takes neither a signal nor a timeout from what it was made with, since version 6: both have to stand in each call. */
function atCall(site: Site): Site {
  const isOld = site.version !== null && compareVersions(site.version, '6') < 0
  return site.client?.kind === 'agent' && !isOld ? { ...site, client: null } : site
}

/** What falls silent is asked again, but not by the gateway: its own errors of a connection are none that the SDK tries again. */
function triesAt(site: Site): ReturnType<typeof triesOf> {
  const model = modelOf(site)
  if (model && isOfGateway(model)) return triesOf(null)
  return triesOf(
    attemptsOf(site, {
      settings: ['maxRetries'],
      default: ['ai-sdk', 'maxRetries'],
      waitMs: (retries) => doublingMs(retries, 2000, Number.POSITIVE_INFINITY),
    }),
  )
}

/** A model that is a name alone, `anthropic/claude-sonnet-4`, or that the gateway gives. */
function isOfGateway(model: Term): boolean {
  switch (model.kind) {
    case 'constant':
      return typeof model.value === 'string'
    case 'external':
      return model.package === '@ai-sdk/gateway' || (model.package === 'ai' && /^(create)?gateway$/i.test(model.path[0] ?? ''))
    case 'member':
      return isOfGateway(model.object)
    case 'made':
      return (
        isOfGateway(model.callee) || (model.callee.kind === 'external' && model.callee.package === 'ai' && model.args.some(wrapsGateway))
      )
    case 'either':
      return model.of.some(isOfGateway)
    default:
      return false
  }
}

/** `wrapLanguageModel({ model: gateway('…'), middleware })`. */
function wrapsGateway(options: Term): boolean {
  const parts = options.kind === 'object' ? options.parts : []
  return parts.some((part) => 'name' in part && part.name === 'model' && isOfGateway(part.value))
}

/** `timeout: 5000`, `timeout: { totalMs: 5000 }` of texts, which came with version 6; objects and embeddings ignore it. */
function totalOf(site: Site): LimitState {
  const name = ['timeout.totalMs', 'timeout'].find((each) => settingIn(site.options, each, site.evaluator).state !== 'absent')
  const limit = limitOf(site, { setting: name ?? 'timeout', kind: 'total' })
  const isTooOld = site.version !== null && compareVersions(site.version, '6.0') < 0
  const isIgnored = isTooOld || !/Text$|^(generate|stream)$/.test(site.method)
  return limit.state === 'none' || isIgnored ? { state: 'none', name: 'timeout', spot: site.spot, isOff: false } : limit
}

/** The way to the model where it shows another one than the `fetch` of Node; null otherwise. */
function otherWay(site: Site): string | null {
  const { client, evaluator } = site
  const model = modelOf(site)
  if (model && asksOtherwise(model, evaluator)) return 'its model asks by a way of its own'
  return isPrepared(client, evaluator) ? 'the agent prepares each call' : null
}

function modelOf({ options, client, evaluator }: Site): Term | undefined {
  return [options, client?.options].map((each) => optionIn(each, 'model', evaluator)).find((each) => each !== undefined)
}

function isPrepared(client: Client | null, evaluator: Site['evaluator']): boolean {
  return client !== null && settingIn(client.options, 'prepareCall', evaluator).state !== 'absent'
}
