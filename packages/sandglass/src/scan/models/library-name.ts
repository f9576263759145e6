import type { Site } from './library-model.js'

/** A library as a sentence has it: `axios 1.7.2`, `fetch of Node 20.20.2`. */
export function libraryName({ model, version }: Pick<Site, 'model' | 'version'>): string {
  if (version === null) return model.id
  const isBuiltIn = model.packages.every((name) => name === 'global' || name.startsWith('node:'))
  if (!isBuiltIn) return `${model.id} ${version}`
  return model.id.startsWith('node:') ? `${model.id} (Node ${version})` : `${model.id} of Node ${version}`
}
