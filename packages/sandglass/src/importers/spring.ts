import { defaultCount, defaultOf } from '../model/default-of.js'
import type { Source } from '../model/sourced.js'
import { addNote, type FactsDraft, type GuardFact, type HopFact, type Importer, newFacts, type OperationFact } from './facts.js'
import { type JavaProject, javaProject } from './java-project.js'
import { sayIfNeverSlow } from './never-slow.js'
import { hasRibbon, hasSpringRetry } from './spring-build.js'
import { clientHops } from './spring-clients.js'
import { dataHops } from './spring-data.js'
import { druidVersion, hasDruidStarter } from './spring-druid.js'
import { gatewayOperations } from './spring-gateway.js'
import { codeClients, codeHops } from './spring-java.js'
import { type Application, applicationsOf } from './spring-layers.js'
import { isBuildFile, isSpringSettings } from './spring-modules.js'
import { unusedInstances } from './spring-resilience.js'
import { sentinelOf } from './spring-sentinel.js'
import { healthOperations, serverFacts } from './spring-server.js'
import type { Entry, Settings } from './spring-settings.js'
import { sayGone } from './spring-superseded.js'
import { bootVersion, cloudVersion, resilienceVersion } from './spring-version.js'
import { zuulOperations } from './spring-zuul.js'

/** application.yml and its like, with the build file that tells versions. */
export const spring: Importer = {
  format: 'spring',
  accepts: (source) => isBuildFile(source) || isSpringSettings(source) || isCallingCode(source),
  read(sources, surroundings) {
    const draft = newFacts()
    const guards: GuardFact[] = []
    const pointedTo: string[] = []
    const project = javaProject(surroundings.all)
    const builds = sources.filter(isBuildFile)
    const applications = applicationsOf({ ...surroundings, all: sources }, draft, project.rootsOf)
    for (const { name, owner, root, settings, at } of applications) {
      const folder = root ?? at.source.file
      const application = {
        draft,
        settings,
        cloud: cloudVersion(folder, builds),
        boot: bootVersion(folder, builds),
        resilience: resilienceVersion(folder, builds),
        druid: druidVersion(folder, builds),
        hasDruidStarter: root !== null && hasDruidStarter(project.rootsOf(root), builds),
        hasSpringRetry: hasSpringRetry(folder, builds),
        hasRibbon: hasRibbon(folder, builds) && settings.get('spring.cloud.loadbalancer.ribbon.enabled')?.text !== 'false',
        at,
      }
      const clients = clientHops(application, codeClients(application, root, project), root !== null && project.modules.size > 0)
      // A client that a library brings along may be one of the service itself, or of one whose code runs in the same process.
      const within = namesWithin(root, applications, project)
      const hops = [...clients, ...codeHops(application, root, project)].filter(
        ({ target }) => target.host !== name.toLowerCase() && !within.has(target.host ?? ''),
      )
      addService(name, owner, application, hops)
      const sentinel = sentinelOf(application, owner ?? name, hops, surroundings)
      guards.push(...sentinel.guards)
      pointedTo.push(...sentinel.pointedTo)
    }
    return { ...draft, guards, pointedTo }
  },
}

/** Applications that another one is built upon, as a monolith is that starts all of them: what it has of them it does not call. */
function namesWithin(root: string | null, applications: readonly Application[], project: JavaProject): ReadonlySet<string> {
  const roots = new Set(root === null ? [] : project.rootsOf(root))
  return new Set(
    applications.flatMap((each) => (each.root !== null && each.root !== root && roots.has(each.root) ? [each.name.toLowerCase()] : [])),
  )
}

/** True for code in Java that calls other services. */
function isCallingCode({ file, text }: Source): boolean {
  return file.endsWith('.java') && /FeignClient|RestTemplate|WebClient|RestClient|Request\.Options/.test(text)
}

/** What every part of the Spring importer reads from. */
export interface SpringApplication {
  readonly draft: FactsDraft
  readonly settings: Settings
  /** The version of spring-cloud-openfeign that the build file tells; null where it does not. */
  readonly cloud: string | null
  /** The version of Spring Boot that the build file tells; null where it does not. */
  readonly boot: string | null
  /** The version of Resilience4j that the build file tells; null where it does not. */
  readonly resilience: string | null
  /** The version of Druid that the build files tell; null where they do not. */
  readonly druid: string | null
  /** True where it is built with the starter that makes Druid what data sources are unless they have a type. */
  readonly hasDruidStarter: boolean
  /** True where the build file has spring-retry, without which Ribbon repeats nothing. */
  readonly hasSpringRetry: boolean
  /** True where Feign asks Ribbon for a server, and for limits where it has none of its own. */
  readonly hasRibbon: boolean
  /** The place of what is nowhere set. */
  readonly at: Entry['written']['spot']
}

/** Where Spring Boot answers unless it is told otherwise. */
function usualPorts(): readonly number[] {
  const found = defaultOf('spring-boot', 'server.port', null)
  const port = found.kind === 'known' ? defaultCount(found.row) : null
  return port === null ? [] : [port]
}

function addService(name: string, owner: string | null, application: SpringApplication, clients: readonly HopFact[]): void {
  const { settings, draft, at } = application
  sayGone(application)
  const data = dataHops(application)
  const hops: readonly HopFact[] = [...clients, ...data.hops]
  const routes = [...gatewayOperations(application), ...zuulOperations(application)]
  const own: readonly OperationFact[] = hops.length > 0 || routes.length === 0 ? [{ name: 'request', spot: at, path: null, hops }] : []
  const all = [...hops, ...routes.flatMap((route) => route.hops)]
  unusedInstances(application, all)
  // Resilience4j's breaker is inside its tries.
  for (const hop of all) if (hop.fields.breaker) sayIfNeverSlow(hop.fields.breaker, hop, 'attempt', 'slow-call-duration-threshold', draft)
  const port = settings.get('server.port')
  const healthChecks = healthOperations(application, data.hops)
  noteOthers(application)
  draft.services.push({
    name: owner ?? name,
    spot: at,
    kind: routes.length > 0 ? 'proxy' : 'service',
    hosts: [name.toLowerCase()],
    ports: port ? (/^\d{1,5}$/.test(port.text) ? [Number(port.text)] : []) : usualPorts(),
    intercepts: [],
    ...serverFacts(application),
    ...(healthChecks.length > 0 ? { healthChecks } : {}),
    ...(data.pools.size > 0 ? { pools: data.pools } : {}),
    operations: [...routes, ...own],
  })
}

/** Times that people take for limits of a request, and that are none. */
function noteOthers({ settings, draft }: SpringApplication): void {
  for (const key of ['server.tomcat.connection-timeout', 'server.connection-timeout', 'spring.mvc.async.request-timeout']) {
    const written = settings.get(key)
    if (written) addNote(draft, 'ignored', written.spot, `${key} does not limit a blocking controller`)
  }
  const transaction = settings.get('spring.transaction.default-timeout')
  if (transaction)
    addNote(
      draft,
      'ignored',
      transaction.spot,
      `spring.transaction.default-timeout ${transaction.text}: a bare number is seconds; it ends the statements of a transaction, and is not in the chain`,
    )
}
