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
  'grpc-service-config': ['service-config.json'],
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

/** Formats that have no words of their own: what is hardly anything else. Settings of Spring are known where keys begin with its name or its libraries'. */
const LIKELY: readonly (readonly [name: string, isLikely: (text: string) => boolean])[] = [
  ['application.properties', (text) => /^[ \t]*(spring|feign|hystrix|zuul|resilience4j)\.[\w.-]+[ \t]*=/m.test(text)],
  ['application.yml', (text) => /^(spring|feign|hystrix|zuul|resilience4j)[.:]/m.test(text)],
  ['Dockerfile', (text) => /^FROM[ \t]+\S/m.test(text) && /^(CMD|ENTRYPOINT)\b.*\b(gunicorn|uvicorn|uwsgi)\b/m.test(text)],
  ['Procfile', (text) => /^web:[ \t]*(\S+[ \t]+)?(gunicorn|uvicorn|uwsgi)\b/m.test(text)],
  [
    'gunicorn.conf.py',
    (text) => /^(worker_class|worker_connections|graceful_timeout|preload_app)[ \t]*=/m.test(text) && !/^[ \t]*\[/m.test(text),
  ],
]

/** A text without a name, with one by which an importer takes it for what it says; null where the content does not tell. */
export function namedByContent({ file, text }: Source): Source | null {
  const likely = () => LIKELY.find(([, isLikely]) => isLikely(text))?.[0]
  const name =
    allImporters.flatMap((importer) => (NAMES[importer.format] ?? []).filter((each) => isTold(importer, each, text)))[0] ?? likely()
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
