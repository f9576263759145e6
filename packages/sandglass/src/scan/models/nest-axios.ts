import type { LimitState } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { firstHolding } from './first-holding.js'
import type { CalledWith, CallShape, LibraryModel, Site } from './library-model.js'
import { factoryOptions } from './project-client.js'

const PARTS: readonly (readonly [string, number])[] = [
  ['get|delete|head|options', 1],
  ['post|put|patch|postForm|putForm|patchForm', 2],
  ['request', 0],
]

/** The `HttpService` of Nest: axios with what `HttpModule.register` gives it, which is no timeout by itself. */
export const nestAxiosModel: LibraryModel = {
  id: 'nestjs-axios',
  packages: ['@nestjs/axios'],
  clients: [{ kind: 'http', on: null, made: [], types: ['HttpService'], optionsAt: -1 }],
  calls: PARTS.map(([names, optionsAt]): CallShape => ({ on: 'http', method: new RegExp(`^(axiosRef\\.)?(${names})$`), optionsAt })),
  read: (site) =>
    readingOf({
      overall: firstHolding(signalIn(site, site.options), signalIn(site, site.options, 'cancelToken')),
      phases: [{ what: 'the answer', kind: 'silence', limit: timeoutOf(site) }],
      remedy: 'HttpModule.register({ timeout: … }) (ms)',
    }),
}

/** A call's own timeout, else none; which of several modules a service belongs to is not followed. */
function timeoutOf(site: Site): LimitState {
  const own = limitOf({ ...site, client: null }, { setting: 'timeout', kind: 'silence' })
  if (own.state !== 'none' || own.isOff) return own
  const isSet = ['register', 'registerAsync'].some((name) =>
    site.uses.callsOf(`@nestjs/axios:HttpModule.${name}`).some((call) => maySetTimeout(call, site)),
  )
  if (isSet || isChangedLater(site)) return { state: 'unknown', name: 'timeout', why: 'a module may set it' }
  return { ...own, spot: site.client?.spot ?? site.spot }
}

function maySetTimeout({ args, at }: CalledWith, site: Site): boolean {
  const { project } = site.evaluator
  if (project.packageOf(at.module.source.file) !== project.packageOf(site.at.module.source.file)) return false
  return settingIn(factoryOptions(args[0], site), 'timeout', site.evaluator).state !== 'absent'
}

/** `httpService.axiosRef.defaults.timeout = …`, or an interceptor of it, anywhere. */
function isChangedLater({ evaluator }: Site): boolean {
  return evaluator.project.sources.some(({ text }) => /axiosRef(\??\.|!\.)(defaults|interceptors)\b/.test(text))
}
