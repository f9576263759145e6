import { type DubboEnd, type Get, nowhere } from './dubbo-model.js'
import { annotationsIn, type JavaAnnotation, type JavaFile } from './java-file.js'
import { type JavaProject, spotOf, textOf } from './java-project.js'
import type { JavaToken } from './java-tokens.js'
import type { Written } from './limit-fact.js'

/** What annotations of Dubbo in a Java file say: `@DubboReference` on fields, `@DubboService` on classes, and their older names. */
export function dubboInJava(file: JavaFile, constants: JavaProject['constants']): readonly DubboEnd[] {
  const references = file.variables.flatMap(({ type, name, annotations }) =>
    annotations
      .filter((annotation) => isReference(annotation, file))
      .map((annotation) => endOf('reference', annotation, type, name, { file, constants })),
  )
  const services = file.types.flatMap(({ annotations, interfaces }) =>
    annotations
      .filter((annotation) => isService(annotation, file))
      .flatMap((annotation) => {
        const type = interfaces[0] ?? (annotation.values.has('interfaceClass') || annotation.values.has('interfaceName') ? '' : null)
        return type === null ? [] : [endOf('service', annotation, type, null, { file, constants })]
      }),
  )
  return [...references, ...services]
}

/** `@Reference` and `@Service` are of Dubbo where it is imported from there; Spring has a `@Service` too. */
function isReference({ name }: JavaAnnotation, file: JavaFile): boolean {
  return name === 'DubboReference' || (name === 'Reference' && isDubbo(file, 'Reference'))
}

function isService({ name }: JavaAnnotation, file: JavaFile): boolean {
  return name === 'DubboService' || (name === 'Service' && isDubbo(file, 'Service'))
}

function isDubbo({ imports }: JavaFile, name: string): boolean {
  return (imports.get(name) ?? (imports.has(name) ? '' : imports.get('*')))?.includes('.dubbo.config.annotation.') === true
}

interface Reading {
  readonly file: JavaFile
  readonly constants: JavaProject['constants']
}

function endOf(kind: DubboEnd['kind'], annotation: JavaAnnotation, type: string, name: string | null, reading: Reading): DubboEnd {
  const get = valuesOf(annotation, reading)
  const byClass = annotation.values.get('interfaceClass')?.find((token) => token.kind === 'name')?.text
  const methods = annotationsIn(reading.file.source, annotation.values.get('methods') ?? []).flatMap(
    (method): readonly (readonly [string, Get])[] => {
      const values = valuesOf(method, reading)
      const of = values('name')
      return of ? [[of.text, values]] : []
    },
  )
  return {
    kind,
    spot: annotation.spot,
    interface: get('interfaceName')?.text ?? fullName(byClass ?? type, reading.file),
    id: get('id')?.text ?? name,
    get,
    methods: new Map(methods),
    around: nowhere(),
  }
}

/** By its import, else in the same package; unknown where a package is imported as a whole. */
function fullName(type: string, { imports, package: own }: JavaFile): string {
  const imported = imports.get(type)
  if (imported !== undefined) return imported
  return imports.has('*') || own === '' ? type : `${own}.${type}`
}

/** What an annotation gives no value for by itself: `timeout = -1` and `retries = -1` mean "as elsewhere" only where nobody wrote them. */
function valuesOf({ values }: JavaAnnotation, { file, constants }: Reading): Get {
  return (attribute) => {
    const tokens = values.get(attribute)
    return tokens ? writtenOf(file, tokens, constants) : undefined
  }
}

function writtenOf(file: JavaFile, tokens: readonly JavaToken[], constants: JavaProject['constants']): Written {
  const spot = spotOf(file.source, tokens)
  const [sign, number] = tokens
  if (tokens.length === 2 && sign?.text === '-' && number?.kind === 'number') return { text: `-${number.text}`, spot }
  const found = textOf(file, tokens, constants)
  if (!found?.isWhole) return { text: '$' + '{code}', spot }
  return { text: /^\d[\d_]*[lL]?$/.test(found.text) ? found.text.replace(/[_lL]/g, '') : found.text, spot }
}
