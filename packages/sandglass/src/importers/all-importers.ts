import { compose } from './compose.js'
import { envoy } from './envoy.js'
import type { Importer } from './facts.js'
import { istio } from './istio.js'
import { kubernetes } from './kubernetes.js'
import { nginx } from './nginx.js'
import { spring } from './spring.js'

/** Every format that is read; what tells to which service a file belongs comes first. */
export const allImporters: readonly Importer[] = [compose, nginx, istio, kubernetes, envoy, spring]
