import type { Source } from '../model/sourced.js'
import { type DubboEnd, firstOf, type Get, nowhere } from './dubbo-model.js'
import type { Written } from './limit-fact.js'
import { readXml, type XmlElement } from './xml-tree.js'

/** What one XML file says of Dubbo. */
export interface DubboXml {
  readonly source: Source
  /** `<dubbo:application name>`; null where another file of the module has it. */
  readonly application: Written | null
  readonly ends: readonly DubboEnd[]
  readonly consumer: Get
  readonly provider: Get
  readonly protocol: Get
}

/** Reads the elements of Dubbo in a Spring XML file, whatever prefix they have. */
export function readDubboXml(source: Source): DubboXml {
  const roots = readXml(source)
  const prefixes = prefixesOf(roots)
  const found: Found = { elements: [], prefixes }
  for (const root of roots) collect(root, null, found)
  const named = (name: string) => found.elements.filter((each) => each.name === name).map(({ element }) => element)
  const all = (name: string): Get => firstOf(named(name).map(attributesOf))
  const [application] = named('application')
  return {
    source,
    application: application?.attributes.get('name') ?? null,
    ends: found.elements.flatMap(endOf),
    consumer: all('consumer'),
    provider: all('provider'),
    protocol: all('protocol'),
  }
}

interface Found {
  readonly elements: { readonly name: string; readonly element: XmlElement; readonly parent: XmlElement | null }[]
  readonly prefixes: ReadonlySet<string>
}

/** `xmlns:dubbo="http://dubbo.apache.org/schema/dubbo"`, and the older one of Alibaba. */
function prefixesOf(roots: readonly XmlElement[]): ReadonlySet<string> {
  const declared = roots.flatMap(({ attributes }) =>
    [...attributes].flatMap(([name, { text }]) =>
      name.startsWith('xmlns') && text.endsWith('/schema/dubbo') ? [name.slice('xmlns:'.length)] : [],
    ),
  )
  return new Set(['dubbo', ...declared])
}

function collect(element: XmlElement, parent: XmlElement | null, found: Found): void {
  const colon = element.name.indexOf(':')
  const [prefix, name] = colon < 0 ? ['', element.name] : [element.name.slice(0, colon), element.name.slice(colon + 1)]
  if (found.prefixes.has(prefix)) found.elements.push({ name, element, parent })
  for (const child of element.children) collect(child, element, found)
}

function attributesOf({ attributes }: XmlElement): Get {
  return (attribute) => attributes.get(attribute) ?? attributes.get(attribute.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
}

function endOf({ name, element, parent }: Found['elements'][number]): readonly DubboEnd[] {
  const type = element.attributes.get('interface')
  if ((name !== 'reference' && name !== 'service') || !type) return []
  const methods = element.children.flatMap((child): readonly (readonly [string, Get])[] => {
    const method = child.name.endsWith(':method') || child.name === 'method' ? child.attributes.get('name') : undefined
    return method ? [[method.text, attributesOf(child)]] : []
  })
  const isAround = parent !== null && /(^|:)(consumer|provider)$/.test(parent.name)
  return [
    {
      kind: name,
      spot: type.spot,
      interface: type.text,
      id: element.attributes.get('id')?.text ?? null,
      get: attributesOf(element),
      methods: new Map(methods),
      around: isAround ? attributesOf(parent) : nowhere(),
    },
  ]
}
