import { apisix } from './apisix.js'
import { compose } from './compose.js'
import { dubbo } from './dubbo.js'
import { envoy } from './envoy.js'
import type { Importer } from './facts.js'
import { grpcServiceConfig } from './grpc-service-config.js'
import { gunicorn } from './gunicorn.js'
import { haproxy } from './haproxy.js'
import { istio } from './istio.js'
import { kong } from './kong.js'
import { kubernetes } from './kubernetes.js'
import { mysql } from './mysql.js'
import { nacos } from './nacos.js'
import { nginx } from './nginx.js'
import { pgbouncer } from './pgbouncer.js'
import { phpFpm } from './php-fpm.js'
import { postgres } from './postgres.js'
import { procfile } from './procfile.js'
import { redis } from './redis.js'
import { sentinel } from './sentinel.js'
import { spring } from './spring.js'
import { traefik } from './traefik.js'
import { uwsgi } from './uwsgi.js'

/** Every format that is read; what tells to which service a file belongs comes first. */
export const allImporters: readonly Importer[] = [
  nacos,
  compose,
  kubernetes,
  haproxy,
  nginx,
  istio,
  traefik,
  envoy,
  grpcServiceConfig,
  kong,
  apisix,
  postgres,
  mysql,
  redis,
  pgbouncer,
  gunicorn,
  uwsgi,
  phpFpm,
  procfile,
  spring,
  sentinel,
  dubbo,
]
