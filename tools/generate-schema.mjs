import { pathToFileURL } from 'node:url'

/**
 * The JSON Schema of the chain file, as the built library makes it of the tables that read one.
 * @param {string} root
 */
export async function generate(root) {
  const library = `${root}/packages/sandglass/dist/index.js`
  const { chainSchema } = await import(pathToFileURL(library).href)
  const text = `${JSON.stringify(chainSchema(), null, 2)}\n`
  return { 'spec/chain.schema.json': text, 'packages/sandglass/schema/chain.schema.json': text }
}
