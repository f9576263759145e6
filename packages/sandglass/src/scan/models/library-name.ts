import type { Site } from './library-model.js'

/** A library as a sentence has it: `axios 1.7.2`, `fetch of Node 20.20.2`; beside a version stands the package that has it. */
export function libraryName({
  model,
  takenFrom,
  version,
  packageName,
}: Pick<Site, 'model' | 'takenFrom' | 'version' | 'packageName'>): string {
  const id = takenFrom?.startsWith('node:') ? takenFrom : model.id
  if (version === null) return id
  const isBuiltIn = model.packages.every((name) => name === 'global' || name.startsWith('node:'))
  if (!isBuiltIn) return `${packageName ?? model.id} ${version}`
  return id.startsWith('node:') ? `${id} (Node ${version})` : `${id} of Node ${version}`
}
