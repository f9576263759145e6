import type { System } from './system.js'

/** Where the schema of the chain file is for an editor: in what is installed here, else on the web. */
export function schemaOf(system: System): string {
  return system.folders.look('package.json') === null
    ? 'https://unpkg.com/sandglass/schema/chain.schema.json'
    : './node_modules/sandglass/schema/chain.schema.json'
}
