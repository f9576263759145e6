import { compareVersions } from '../../model/default-of.js'
import type { Site } from './library-model.js'

/** From which mongoose on which driver comes with it: each names a minor version of `mongodb`, or the first one of such. */
const DRIVERS: readonly (readonly [mongoose: string, mongodb: string])[] = [
  ['9.12', '7.8'],
  ['9.11', '7.7'],
  ['9.10', '7.6'],
  ['9.8', '7.5'],
  ['9.6', '7.2'],
  ['9.3', '7.1'],
  ['9.0', '7.0'],
  ['8.19', '6.20'],
  ['8.17', '6.18'],
  ['8.16', '6.17'],
  ['8.14', '6.16'],
  ['8.13', '6.15'],
  ['8.12', '6.14'],
  ['8.10', '6.13'],
  ['8.9', '6.12'],
  ['8.8', '6.10'],
  ['8.7', '6.9'],
  ['8.0', '6.2'],
  ['7.0', '5.1'],
  ['6.0', '4.1'],
  ['5.13.11', '3.7'],
  ['5.10.13', '3.6.3'],
  ['5.10', '3.6'],
  ['5.9', '3.5'],
  ['5.8.3', '3.4'],
  ['5.7', '3.3'],
  ['5.5', '3.2'],
  ['5.2', '3.1'],
  ['5.0', '3.0'],
]

/** The version of the driver that mongoose asks with: its own, which another `mongodb` of the project says nothing of. */
export function mongooseDriver({ version, evaluator, at }: Pick<Site, 'version' | 'evaluator' | 'at'>): string | null {
  const installed = evaluator.project.versionOf('mongodb', at.module.source.file)
  if (version === null) return installed
  const driver = DRIVERS.find(([from]) => compareVersions(version, from) >= 0)?.[1]
  if (driver === undefined) return null
  const [major, minor, patch = '0'] = driver.split('.')
  const isThere = installed?.startsWith(`${major}.${minor}.`) && compareVersions(installed, driver) >= 0
  return isThere ? installed : `${major}.${minor}.${patch}`
}
