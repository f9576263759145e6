import type { Source } from '../model/sourced.js'
import { dubboInJava } from './dubbo-java.js'
import { type DubboEnd, firstOf, type Get, nowhere, type Participant } from './dubbo-model.js'
import { type DubboXml, readDubboXml } from './dubbo-xml.js'
import { type FactsDraft, newFacts, type Surroundings } from './facts.js'
import { type JavaProject, javaProject, moduleRoot } from './java-project.js'
import { type Application, applicationsOf } from './spring-layers.js'
import { resolvedWritten } from './spring-placeholders.js'
import { propertiesDocuments } from './spring-properties.js'
import { type Settings, settingsOf } from './spring-settings.js'
import { nameOf } from './target.js'

/** True for the properties that Dubbo reads by itself. */
export function isDubboProperties({ file }: Source): boolean {
  return /(^|\/)dubbo[\w.-]*\.properties$/.test(file)
}

/** True for a Spring XML file with elements of Dubbo. */
export function isDubboXml({ file, text }: Source): boolean {
  return file.endsWith('.xml') && (/<dubbo:\w/.test(text) || /\/schema\/dubbo["']/.test(text))
}

/** Everything that takes part in Dubbo: Spring applications, and what XML, properties and code make without one. */
export function participantsOf(sources: readonly Source[], surroundings: Surroundings, draft: FactsDraft): readonly Participant[] {
  const project = javaProject(surroundings.all)
  // Notes on settings are those of Spring's own importer.
  const applications = applicationsOf(surroundings, newFacts(), project.rootsOf)
  const reading: Reading = {
    project,
    draft,
    surroundings,
    xml: byRoot(sources.filter(isDubboXml), (source) => readDubboXml(source)),
    properties: byRoot(sources.filter(isDubboProperties), (source) => source),
    taken: new Set(),
    runs: new Set(applications.flatMap(({ root }) => root ?? [])),
  }
  const springs = applications.flatMap((application) => ofApplication(application, reading))
  const rest = [...reading.xml.keys(), ...reading.properties.keys(), ...project.modules.keys()].filter((root) => !reading.taken.has(root))
  return [...springs, ...[...new Set(rest)].flatMap((root) => ofModule(root, reading))]
}

interface Reading {
  readonly project: JavaProject
  readonly draft: FactsDraft
  readonly surroundings: Surroundings
  readonly xml: ReadonlyMap<string, readonly DubboXml[]>
  readonly properties: ReadonlyMap<string, readonly Source[]>
  /** Modules whose files belong to an application. */
  readonly taken: Set<string>
  /** Modules that run by themselves: what another one needs of them is their interface, and it runs nothing of theirs. */
  readonly runs: ReadonlySet<string>
}

function byRoot<T>(sources: readonly Source[], read: (source: Source) => T): ReadonlyMap<string, readonly T[]> {
  const roots = new Map<string, T[]>()
  for (const source of sources) {
    const root = /^(.*?)src\/main\/(resources|webapp)\//.exec(source.file)?.[1] ?? moduleRoot(source.file)
    const list = roots.get(root)
    if (list) list.push(read(source))
    else roots.set(root, [read(source)])
  }
  return roots
}

function ofApplication({ name, owner, root, settings, at }: Application, reading: Reading): readonly Participant[] {
  const roots = root === null ? [] : [root, ...reading.project.rootsOf(root).filter((each) => !reading.runs.has(each))]
  for (const each of roots) reading.taken.add(each)
  const files = roots.flatMap((each) => reading.xml.get(each) ?? [])
  const properties = propertiesOf(roots, reading)
  const parts: Parts = { files, properties, settings, roots }
  return participants(parts, owner ?? name, at, reading)
}

/** A module without Spring's settings: named by Dubbo's, by the compose file that builds it, or by its folder. */
function ofModule(root: string, reading: Reading): readonly Participant[] {
  const files = reading.xml.get(root) ?? []
  const properties = propertiesOf([root], reading)
  const source = files[0]?.source ?? reading.properties.get(root)?.[0] ?? reading.project.modules.get(root)?.files[0]?.source
  if (!source) return []
  const named = properties?.get('dubbo.application.name')?.text
  const folder = root.split('/').filter((part) => part !== '')
  const name = nameOf(named ?? reading.surroundings.ownerOf(source.file)?.name ?? folder[folder.length - 1] ?? 'application')
  return participants({ files, properties, settings: null, roots: [root] }, name, { source, start: 0, end: 1 }, reading)
}

function propertiesOf(roots: readonly string[], { properties }: Reading): Settings | null {
  const sources = roots.flatMap((root) => properties.get(root) ?? [])
  return sources.length === 0 ? null : settingsOf(sources.flatMap((source) => propertiesDocuments(source).flat()))
}

interface Parts {
  readonly files: readonly DubboXml[]
  readonly properties: Settings | null
  readonly settings: Settings | null
  readonly roots: readonly string[]
}

/** Files of one module that name different applications are different services; otherwise the module is one. */
function participants(parts: Parts, name: string, spot: Participant['spot'], reading: Reading): readonly Participant[] {
  const settings = parts.settings ?? parts.properties ?? settingsOf([])
  const named = new Map<string, DubboXml[]>()
  for (const file of parts.files) {
    const own = file.application && resolvedWritten(file.application, 'dubbo.application.name', settings, reading.draft).text
    named.set(own ?? '', [...(named.get(own ?? '') ?? []), file])
  }
  const names = [...named.keys()].filter((each) => each !== '')
  const [only] = names
  if (names.length < 2) {
    const isSpring = parts.settings?.get('spring.application.name') !== undefined
    return [participant(parts, isSpring || only === undefined ? name : nameOf(only), spot, parts.files, reading)].filter(takesPart)
  }
  const plain = named.get('') ?? []
  const each = names.map((own) => {
    const files = [...plain, ...(named.get(own) ?? [])]
    return participant({ ...parts, roots: [] }, nameOf(own), files[files.length - 1]?.application?.spot ?? spot, files, reading)
  })
  const code = participant(parts, name, spot, [], reading)
  return [...each, code].filter(takesPart)
}

function takesPart({ ends }: Participant): boolean {
  return ends.length > 0
}

function participant(
  parts: Parts,
  name: string,
  spot: Participant['spot'],
  files: readonly DubboXml[],
  { project, draft }: Reading,
): Participant {
  const settings = parts.settings ?? parts.properties ?? settingsOf([])
  const resolving =
    (get: Get): Get =>
    (attribute) => {
      const written = get(attribute)
      return written && resolvedWritten(written, attribute, settings, draft)
    }
  const resolved = (end: DubboEnd): DubboEnd => ({
    ...end,
    get: resolving(end.get),
    around: resolving(end.around),
    methods: new Map([...end.methods].map(([method, get]) => [method, resolving(get)])),
  })
  const code = parts.roots.flatMap((root) => project.modules.get(root)?.files ?? []).flatMap((file) => dubboInJava(file, project.constants))
  const ends = [...files.flatMap((file) => file.ends), ...code].map(resolved)
  const all = (side: 'consumer' | 'provider' | 'protocol') => resolving(firstOf(files.map((file) => file[side])))
  const named = [
    parts.settings?.get('spring.application.name'),
    parts.settings?.get('dubbo.application.name'),
    parts.properties?.get('dubbo.application.name'),
  ]
  return {
    name,
    names: [...new Set([name, ...named.flatMap((written) => written?.text ?? [])])],
    spot,
    settings: parts.settings,
    properties: parts.properties,
    ends: [...ends, ...endsInSettings(parts, ends)],
    consumer: all('consumer'),
    provider: all('provider'),
    protocol: all('protocol'),
  }
}

const ATTRIBUTES = /\.(timeout|retries|cluster|actives|executes|version|group|check|loadbalance|url|connections|async|interface)$/i

/** Ends that only settings name: `dubbo.reference.com.shop.StockService.timeout`. */
function endsInSettings({ settings, properties }: Parts, known: readonly DubboEnd[]): readonly DubboEnd[] {
  const found = new Map<string, DubboEnd>()
  for (const { key, written } of [...(settings?.entries ?? []), ...(properties?.entries ?? [])]) {
    const [, kind, rest] = /^dubbo\.(reference|service)s?\.(.+)$/.exec(key) ?? []
    const type = rest === undefined ? undefined : /^((?:[a-z_]\w*\.)+[A-Z]\w*)(\.|$)/.exec(rest.replace(ATTRIBUTES, ''))?.[1]
    if ((kind !== 'reference' && kind !== 'service') || type === undefined || found.has(`${kind} ${type}`)) continue
    if (known.some((end) => end.kind === kind && end.interface === type)) continue
    found.set(`${kind} ${type}`, {
      kind,
      spot: written.spot,
      interface: type,
      id: null,
      get: nowhere(),
      methods: new Map(),
      around: nowhere(),
    })
  }
  return [...found.values()]
}
