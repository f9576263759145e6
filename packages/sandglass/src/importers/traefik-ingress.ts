import type { Spot } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import type { Target } from './facts.js'
import type { Written } from './limit-fact.js'
import { targetOf } from './target.js'
import type { Route, RouteTarget } from './traefik-parts.js'
import { at, itemsAt, textAt, writtenAt } from './yaml-path.js'

const PREFIX = 'traefik.ingress.kubernetes.io/'

/** True for an Ingress of Kubernetes that Traefik serves: by its class, or without one by its annotations. */
export function isTraefikIngress(root: YamlNode): boolean {
  if (textAt(root, 'kind') !== 'Ingress') return false
  const annotations = at(root, 'metadata', 'annotations')
  const className = textAt(root, 'spec', 'ingressClassName') || textAt(annotations, 'kubernetes.io/ingress.class')
  if (className !== '') return /traefik/.test(className)
  return annotations?.kind === 'map' && annotations.entries.some(({ key }) => key.text.startsWith(PREFIX))
}

/** A route for each path of such Ingresses; the transport is named by an annotation of the Service. */
export function ingressRoutes(roots: readonly YamlNode[]): readonly Route[] {
  const services = roots.filter((root) => textAt(root, 'kind') === 'Service')
  return roots.filter(isTraefikIngress).flatMap((ingress) => routesOf(ingress, services))
}

function routesOf(ingress: YamlNode, services: readonly YamlNode[]): readonly Route[] {
  const annotations = at(ingress, 'metadata', 'annotations')
  const annotation = (name: string): Written | undefined => writtenAt(annotations, `${PREFIX}router.${name}`)
  const words = (written: Written | undefined): readonly Written[] =>
    written ? written.text.split(',').flatMap((word) => (word.trim() === '' ? [] : { text: word.trim(), spot: written.spot })) : []
  const base = textAt(ingress, 'metadata', 'name') || 'ingress'
  const fallback = at(ingress, 'spec', 'defaultBackend')
  // What no path takes goes to the default backend: it comes last, however short the others are.
  const paths = [
    ...itemsAt(ingress, 'spec', 'rules').flatMap((rule) =>
      itemsAt(rule, 'http', 'paths').map((path) => ({ spot: path, backend: at(path, 'backend') ?? path, rule: ruleOf(rule, path) })),
    ),
    ...(fallback ? [{ spot: fallback, backend: fallback, rule: undefined }] : []),
  ]
  return paths.map(({ spot, backend, rule }, index) => ({
    name: paths.length === 1 ? base : `${base}-${index + 1}`,
    spot,
    rule,
    priority: annotation('priority'),
    entryPoints: words(annotation('entrypoints')).map(({ text }) => text.toLowerCase()),
    hasTls: at(ingress, 'spec', 'tls') !== undefined || annotation('tls')?.text === 'true',
    middlewares: words(annotation('middlewares')),
    targets: targetsOf(backend, textAt(ingress, 'metadata', 'namespace'), services),
  }))
}

function ruleOf(rule: YamlNode, path: YamlNode): Written {
  const host = textAt(rule, 'host')
  const matcher = textAt(path, 'pathType') === 'Exact' ? 'Path' : 'PathPrefix'
  const spot: Spot = at(path, 'path') ?? path
  return { text: `${host === '' ? '' : `Host(\`${host}\`) && `}${matcher}(\`${textAt(path, 'path') || '/'}\`)`, spot }
}

function targetsOf(backend: YamlNode, namespace: string, services: readonly YamlNode[]): readonly RouteTarget[] {
  const name = writtenAt(backend, 'service', 'name') ?? writtenAt(backend, 'serviceName')
  if (!name) return []
  const port = textAt(backend, 'service', 'port', 'number') || textAt(backend, 'servicePort')
  const host = namespace === '' ? name.text : `${name.text}.${namespace}.svc.cluster.local`
  const target: Target = targetOf(/^\d+$/.test(port) ? `${host}:${port}` : host, name.spot)
  const service = services.find(
    (root) => textAt(root, 'metadata', 'name') === name.text && textAt(root, 'metadata', 'namespace') === namespace,
  )
  const transport = writtenAt(service && at(service, 'metadata', 'annotations'), `${PREFIX}service.serverstransport`)
  return [{ spot: backend, target, transport }]
}
