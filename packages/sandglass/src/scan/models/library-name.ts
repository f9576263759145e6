import type { Site } from './library-model.js'

/** A library as a sentence has it: `axios 1.7.2`, `fetch of Node 20.20.2`; beside a version stands the package that has it. */
export function libraryName({ model, version, packageName }: Pick<Site, 'model' | 'version' | 'packageName'>): string {
  if (version === null) return model.id
  const isBuiltIn = model.packages.every((name) => name === 'global' || name.startsWith('node:'))
  if (!isBuiltIn) return `${packageName ?? model.id} ${version}`
  return model.id.startsWith('node:') ? `${model.id} (Node ${version})` : `${model.id} of Node ${version}`
}
