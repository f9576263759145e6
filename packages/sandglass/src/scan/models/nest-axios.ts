import type { Node } from 'oxc-parser'
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

/** A call's own timeout, else that of the modules that provide its class, or of any where none is seen to. */
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
  if (settingIn(factoryOptions(args[0], site), 'timeout', site.evaluator).state === 'absent') return false
  const of = classAround(site)
  const home = of && at.module.source.text.slice(...rangeOfModule(at.node))
  return !home || !isProvided(of, site) || /\bexports\s*:\s*\[[^\]]*\bHttpModule\b/.test(home) || provides(of).test(home)
}

/** The name of the class that asks. */
function classAround({ node }: Site): string | null {
  for (let here: Node | null | undefined = node; here; here = here.parent)
    if (here.type === 'ClassDeclaration') return here.id?.name ?? null
  return null
}

/** Where the `@Module({ … })` around a call begins and ends; nowhere for what is called elsewhere. */
function rangeOfModule(node: Node): readonly [number, number] {
  for (let here: Node | null | undefined = node; here; here = here.parent) if (here.type === 'Decorator') return [here.start, here.end]
  return [0, 0]
}

const provides = (name: string) => new RegExp(`\\bproviders\\s*:\\s*\\[[^\\]]*\\b${name}\\b`)

/** True where some module says that it provides a class. */
function isProvided(name: string, { evaluator, at }: Site): boolean {
  const { sources, packageOf } = evaluator.project
  const home = packageOf(at.module.source.file)
  const said = provides(name)
  return sources.some(({ file, text }) => packageOf(file) === home && text.includes(name) && said.test(text))
}

/** `httpService.axiosRef.defaults.timeout = …`, or an interceptor of it, anywhere. */
function isChangedLater({ evaluator }: Site): boolean {
  return evaluator.project.sources.some(({ text }) => /axiosRef(\??\.|!\.)(defaults|interceptors)\b/.test(text))
}
