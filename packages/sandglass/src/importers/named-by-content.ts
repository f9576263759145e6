import type { Source } from '../model/sourced.js'
import { allImporters } from './all-importers.js'
import type { Importer } from './facts.js'

/** A name that files of each format may have. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  nginx: ['nginx.conf'],
  haproxy: ['haproxy.cfg'],
  'docker-compose': ['compose.yaml'],
  kubernetes: ['resources.yaml'],
  istio: ['istio.yaml'],
  envoy: ['envoy.yaml'],
  kong: ['kong.yaml'],
  apisix: ['apisix.yaml'],
  traefik: ['traefik.yml', 'traefik.toml'],
  mysql: ['my.cnf'],
  pgbouncer: ['pgbouncer.ini'],
  uwsgi: ['uwsgi.ini'],
  'php-fpm': ['php-fpm.conf'],
  redis: ['server.conf'],
  postgresql: ['server.conf'],
  sentinel: ['rules.json'],
  dubbo: ['dubbo.xml'],
  nacos: ['dump.sql'],
}

/** Settings of Spring have any keys; those that begin with its own name are known. */
const SPRING: readonly (readonly [name: string, content: RegExp])[] = [
  ['application.properties', /^[ \t]*spring\.[\w.-]+[ \t]*=/m],
  ['application.yml', /^spring[.:]/m],
]

/** A text without a name, with one by which an importer takes it for what it says; null where the content does not tell. */
export function namedByContent({ file, text }: Source): Source | null {
  const spring = () => SPRING.find(([, content]) => content.test(text))?.[0]
  const name =
    allImporters.flatMap((importer) => (NAMES[importer.format] ?? []).filter((each) => isTold(importer, each, text)))[0] ?? spring()
  return name === undefined ? null : { file: `${file}/${name}`, text }
}

/** True where not the name alone makes it one of the format. */
function isTold(importer: Importer, name: string, text: string): boolean {
  const takes = (content: string) => {
    const source = { file: name, text: content }
    return importer.accepts(source) || (importer.unpack?.(source).length ?? 0) > 0
  }
  return takes(text) && !takes('')
}
