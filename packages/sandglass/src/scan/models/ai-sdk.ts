import { compareVersions } from '../../model/default-of.js'
import type { LimitState } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { earlier } from '../signals/signal-limit.js'
import type { Term } from '../terms/term.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import { silenceOfFetch } from './fetch-phases.js'
import type { LibraryModel, Site } from './library-model.js'

/** The AI SDK of Vercel: its providers ask over the `fetch` of Node, up to three times. */
export const aiSdkModel: LibraryModel = {
  id: 'ai-sdk',
  packages: ['ai'],
  clients: [],
  calls: [{ on: null, method: /^(generate(Text|Object)|stream(Text|Object)|embed(Many)?|(experimental_)?generateImage)$/, optionsAt: 0 }],
  read,
}

function read(site: Site): Reading {
  const silence: LimitState = isPlainModel(site)
    ? silenceOfFetch(site)
    : { state: 'unknown', name: 'model', why: 'the model is made elsewhere, maybe with a fetch of its own' }
  return readingOf({
    overall: earlier(signalIn(site, site.options, 'abortSignal'), totalOf(site)),
    phases: [{ what: 'the answer', kind: 'silence', limit: silence }],
    ...triesOf(
      attemptsOf(site, {
        settings: ['maxRetries'],
        default: ['ai-sdk', 'maxRetries'],
        waitMs: (retries) => doublingMs(retries, 2000, Number.POSITIVE_INFINITY),
      }),
    ),
    remedy: 'abortSignal: AbortSignal.timeout(…)',
  })
}

/** `timeout: 5000`, `timeout: { totalMs: 5000 }` of texts, which came with version 6; objects and embeddings ignore it. */
function totalOf(site: Site): LimitState {
  const name = ['timeout.totalMs', 'timeout'].find((each) => settingIn(site.options, each, site.evaluator).state !== 'absent')
  const limit = limitOf(site, { setting: name ?? 'timeout', kind: 'total' })
  const isTooOld = site.version !== null && compareVersions(site.version, '6.0') < 0
  const isIgnored = isTooOld || !site.method.endsWith('Text')
  return limit.state === 'none' || isIgnored ? { state: 'none', name: 'timeout', spot: site.spot, isOff: false } : limit
}

/** A model of a package that is given no `fetch`, or one by its name. */
function isPlainModel({ options, evaluator }: Site): boolean {
  const model = settingIn(options, 'model', evaluator)
  return model.state === 'given' ? typeof model.value === 'string' : model.state === 'term' && isPlain(model.term, evaluator, 0)
}

function isPlain(term: Term, evaluator: Site['evaluator'], depth: number): boolean {
  if (depth > 6) return false
  switch (term.kind) {
    case 'external':
      return !['global', 'operator', 'ai'].includes(term.package)
    case 'member':
      return isPlain(term.object, evaluator, depth + 1)
    case 'made':
      return hasNoFetch(term, evaluator) && isPlain(term.callee, evaluator, depth + 1)
    case 'either':
      return term.of.every((each) => isPlain(each, evaluator, depth + 1))
    default:
      return false
  }
}

/** `createOpenAI({ fetch: … })`; what its models are called with holds none. */
function hasNoFetch({ callee, args }: Extract<Term, { kind: 'made' }>, evaluator: Site['evaluator']): boolean {
  const isProvider = callee.kind === 'external' && /^create[A-Z]/.test(callee.path.at(-1) ?? '')
  return !isProvider || args.every((arg) => settingIn(arg, 'fetch', evaluator).state === 'absent')
}
