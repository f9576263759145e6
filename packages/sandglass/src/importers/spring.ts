import { declared, type Source } from '../model/sourced.js'
import { addNote, type FactsDraft, type HopFact, type Importer, newFacts, type OperationFact, type Surroundings } from './facts.js'
import { limitFact } from './limit-fact.js'
import { clientHops } from './spring-clients.js'
import { dataHops } from './spring-data.js'
import { gatewayOperations } from './spring-gateway.js'
import { unusedInstances } from './spring-resilience.js'
import { type Entry, readSettings, type Settings, settingsOf, withPlaceholderDefaults } from './spring-settings.js'
import { cloudVersion } from './spring-version.js'
import { zuulOperations } from './spring-zuul.js'
import { nameOf } from './target.js'

const BUILD = /(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/
const NAMED = /(^|\/)(application|bootstrap)[\w.-]*\.(ya?ml|properties)$/
const KEYS =
  /^(spring|server|feign|ribbon|hystrix|zuul|resilience4j|mybatis)[.:]|^[\w-]+\.ribbon\.|^\s{2,4}(application|datasource|cloud):/m

/** application.yml and its like, with the build file that tells versions. */
export const spring: Importer = {
  format: 'spring',
  accepts: ({ file, text }) =>
    BUILD.test(file) ||
    NAMED.test(file) ||
    (/\.(ya?ml|properties)$/.test(file) && !/^(apiVersion|services|sandglass):/m.test(text) && KEYS.test(text)),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const application of applicationsOf(sources)) readApplication(application, sources, surroundings, draft)
    return draft
  },
}

interface Application {
  readonly folder: string
  /** The name of a config server's file; null where `spring.application.name` or the folder tells. */
  readonly fileName: string | null
  readonly files: readonly Source[]
}

/** Files of one folder are one application; a config server's `<service>.yml` lies over the folder's application.yml. */
function applicationsOf(sources: readonly Source[]): readonly Application[] {
  const folders = new Map<string, Source[]>()
  for (const source of sources.filter(({ file }) => !BUILD.test(file))) {
    const folder = source.file.slice(0, source.file.lastIndexOf('/') + 1)
    folders.set(folder, [...(folders.get(folder) ?? []), source])
  }
  return [...folders].flatMap(([folder, files]) => {
    const shared = files.filter(({ file }) => NAMED.test(file)).toSorted((a, b) => rank(a.file) - rank(b.file))
    const others = files.filter(({ file }) => !NAMED.test(file))
    if (others.length === 0) return [{ folder, fileName: null, files: shared }]
    return others.map((other) => ({ folder, fileName: /([\w.-]+)\.\w+$/.exec(other.file)?.[1] ?? null, files: [...shared, other] }))
  })
}

/** bootstrap is read before application, and .properties win over .yml. */
function rank(file: string): number {
  return (/bootstrap/.test(file) ? 0 : 2) + (file.endsWith('.properties') ? 1 : 0)
}

function readApplication(
  { folder, fileName, files }: Application,
  sources: readonly Source[],
  surroundings: Surroundings,
  draft: FactsDraft,
): void {
  const entries: Entry[] = []
  for (const source of files) {
    for (const { profile, entries: own } of readSettings(source, draft)) {
      const first = own[0]
      if (profile === null || profile === 'default') entries.push(...own)
      else if (first)
        addNote(
          draft,
          'unknown',
          first.written.spot,
          `profile ${profile}: which profiles run is not known; its ${own.length} settings are not applied`,
        )
    }
  }
  const first = entries[0]
  if (!first) return
  const settings = settingsOf(withPlaceholderDefaults(entries, draft))
  // A config server holds the files of others: whose they are is in their names.
  const owner = fileName === null ? surroundings.ownerOf(first.written.spot.source.file) : null
  const named = settings.get('spring.application.name')
  const name = nameOf(named && !named.text.includes('$') ? named.text : (owner?.name ?? fileName ?? moduleOf(folder)))
  const application: SpringApplication = { draft, settings, cloud: cloudVersion(folder, sources), at: first.written.spot }
  addService(name, owner?.name ?? null, application)
}

/** What every part of the Spring importer reads from. */
export interface SpringApplication {
  readonly draft: FactsDraft
  readonly settings: Settings
  /** The version of spring-cloud-openfeign that the build file tells; null where it does not. */
  readonly cloud: string | null
  /** The place of what is nowhere set. */
  readonly at: Entry['written']['spot']
}

function addService(name: string, owner: string | null, application: SpringApplication): void {
  const { settings, draft, at } = application
  const data = dataHops(application)
  const hops: readonly HopFact[] = [...clientHops(application), ...data.hops]
  const routes = [...gatewayOperations(application), ...zuulOperations(application)]
  const own: readonly OperationFact[] = hops.length > 0 || routes.length === 0 ? [{ name: 'request', spot: at, path: null, hops }] : []
  unusedInstances(application, [...hops, ...routes.flatMap((route) => route.hops)])
  const port = settings.get('server.port')
  const threads = settings.get('server.tomcat.threads.max') ?? settings.get('server.tomcat.max-threads')
  const idle =
    settings.get('server.tomcat.keep-alive-timeout') ??
    settings.get('server.undertow.no-request-timeout') ??
    settings.get('server.netty.idle-timeout')
  const idleMs =
    idle && limitFact({ draft, system: 'tomcat', version: null, key: 'keepAliveTimeout', shown: 'keep-alive-timeout', at }, idle, 'spring')
  for (const key of ['server.tomcat.connection-timeout', 'server.connection-timeout', 'spring.mvc.async.request-timeout']) {
    const written = settings.get(key)
    if (written) addNote(draft, 'ignored', written.spot, `${key} does not limit a blocking controller`)
  }
  draft.services.push({
    name: owner ?? name,
    spot: at,
    kind: routes.length > 0 ? 'proxy' : 'service',
    hosts: [name.toLowerCase()],
    ports: port && /^\d{1,5}$/.test(port.text) ? [Number(port.text)] : [],
    intercepts: [],
    ...(threads && /^[1-9]\d{0,6}$/.test(threads.text) ? { concurrency: declared(Number(threads.text), threads.spot) } : {}),
    ...(idleMs && typeof idleMs.value === 'number' ? { keepAlive: { spot: idle.spot, idleMs } } : {}),
    ...(data.pools.size > 0 ? { pools: data.pools } : {}),
    operations: [...routes, ...own],
  })
}

/** The module's folder, without where Maven puts resources. */
function moduleOf(folder: string): string {
  const parts = folder
    .replace(/(src\/main\/resources\/|config\/)+$/, '')
    .split('/')
    .filter((part) => part !== '')
  return parts[parts.length - 1] ?? 'application'
}
