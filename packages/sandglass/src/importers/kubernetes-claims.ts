import type { YamlNode } from '../model/yaml-tree.js'
import type { Claim } from './facts.js'
import { nameOf } from './target.js'
import { at, itemsAt, textAt } from './yaml-path.js'

/**
 * The files of ConfigMaps belong to the workloads that mount them: one file where a mount or the volume names it, else the whole map. A file of a
 * map that several mount as a whole is that of the one whose image is of its product.
 */
export function claimsOf(workloads: readonly YamlNode[], configMaps: readonly YamlNode[]): readonly Claim[] {
  const users = workloads.flatMap((workload) => mountsOf(workload).map((mount) => ({ ...mount, ...ownerOf(workload) })))
  return configMaps.flatMap((map) => {
    const path = `${map.source.file}!/${textAt(map, 'metadata', 'name')}`
    const using = users.filter(({ name }) => name === textAt(map, 'metadata', 'name'))
    const named = using.flatMap(({ keys, owner }) => (keys ?? []).map((key) => ({ path: `${path}/${key}`, owner })))
    const whole = using.filter(({ keys }) => keys === null)
    const suiting =
      whole.length > 1 ? keysOf(map).flatMap((key) => suitable(key, whole).map(({ owner }) => ({ path: `${path}/${key}`, owner }))) : []
    return [...named, ...suiting, ...whole.map(({ owner }) => ({ path, owner }))]
  })
}

interface Mount {
  /** The ConfigMap. */
  readonly name: string
  /** The files of it that are mounted; null: all. */
  readonly keys: readonly string[] | null
}

function mountsOf(workload: YamlNode): readonly Mount[] {
  const spec = at(workload, 'spec', 'template', 'spec')
  const mounts = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')].flatMap((container) =>
    itemsAt(container, 'volumeMounts'),
  )
  return itemsAt(spec, 'volumes').flatMap((volume) => {
    const own = mounts.filter((mount) => textAt(mount, 'name') === textAt(volume, 'name'))
    const sources = [at(volume, 'configMap'), ...itemsAt(volume, 'projected', 'sources').map((each) => at(each, 'configMap'))]
    return sources.flatMap((source) => (source ? [{ name: textAt(source, 'name'), keys: keysIn(source, own) }] : []))
  })
}

/** What a volume takes of a map, less what no mount takes of the volume. */
function keysIn(configMap: YamlNode, mounts: readonly YamlNode[]): readonly string[] | null {
  const items = itemsAt(configMap, 'items').map((item) => ({ key: textAt(item, 'key'), path: textAt(item, 'path') }))
  const parts = mounts.map((mount) => textAt(mount, 'subPath'))
  if (parts.length === 0 || parts.includes('')) return items.length > 0 ? items.map(({ key }) => key) : null
  return parts.map((part) => items.find(({ path }) => path === part)?.key ?? part)
}

function ownerOf(workload: YamlNode): Pick<Claim, 'owner'> {
  const image = textAt(itemsAt(workload, 'spec', 'template', 'spec', 'containers')[0], 'image')
  const version = /:v?(\d+(?:\.\d+)*)[\w.-]*(?:@.*)?$/.exec(image)?.[1] ?? null
  return { owner: { name: nameOf(textAt(workload, 'metadata', 'name') || 'workload'), version, ...(image === '' ? {} : { image }) } }
}

function keysOf(map: YamlNode): readonly string[] {
  const data = at(map, 'data')
  return data?.kind === 'map' ? data.entries.map(({ key }) => key.text) : []
}

/** Products by the names of their files, and by those of their images. */
const PRODUCTS: readonly (readonly [file: RegExp, image: RegExp])[] = [
  [/nginx/, /nginx|openresty/],
  [/haproxy/, /haproxy/],
  [/envoy/, /envoy/],
  [/redis|valkey/, /redis|valkey/],
  [/pgbouncer/, /pgbouncer/],
  [/postgresql|pg_hba/, /postgres/],
  [/^my\.cnf$|mysql|mariadb/, /mysql|mariadb/],
  [/traefik/, /traefik/],
]

/** Of several workloads the only one that a file is likely to be for: its product runs there, or no product of other files does. */
function suitable<User extends Pick<Claim, 'owner'>>(key: string, users: readonly User[]): readonly User[] {
  const product = PRODUCTS.find(([file]) => file.test(key))
  const suits = ({ owner: { image = '' } }: User) => (product ? product[1].test(image) : !PRODUCTS.some(([, each]) => each.test(image)))
  const found = users.filter(suits)
  return found.length === 1 ? found : []
}
