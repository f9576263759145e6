import { readYamlDocuments, type YamlNode, type YamlScalar } from '../model/yaml-tree.js'
import { lambdaMostMs } from '../scan/files/lambda-most.js'
import { folderOf, foldersUp, pathBelow, tidyFolder } from '../scan/lockfile/folder-path.js'
import { yamlEntries, yamlMember, yamlScalar } from '../scan/lockfile/yaml-entries.js'
import type { Folders } from './folders.js'
import { isFoundFile } from './look-at.js'

/** What a function has where nobody writes a `timeout`: the Serverless Framework's guide of `serverless.yml`, and AWS SAM's of `AWS::Serverless::Function`. */
const SERVERLESS_DEFAULT_MS = 6000
const SAM_DEFAULT_MS = 3000
const MAX_BYTES = 1_000_000
const NAMES = ['serverless.yml', 'serverless.yaml', 'template.yaml', 'template.yml']

/** A function of AWS as a configuration has it. */
interface AwsFunction {
  /** Its handler's file without the ending, from the configuration's folder on; null for an image, or where it is computed. */
  readonly stem: string | null
  readonly ms: number
}

/** When AWS ends functions, as the nearest `serverless.yml` or SAM template above a file has it. */
export interface AwsEnds {
  /** After how many ms it ends the function whose handler a file is; null where it is none's. */
  readonly endMsOf: (file: string) => number | null
  /** After how many ms it ends the longest of them at most; null where nothing says. */
  readonly longestMsOf: (file: string) => number | null
}

/** Tells when AWS ends functions; configurations are read when they are first asked for. */
export function awsFunctions(folders: Folders): AwsEnds {
  const known = new Map<string, readonly AwsFunction[]>()
  const writtenIn = (folder: string): readonly AwsFunction[] => {
    const found = known.get(folder) ?? NAMES.flatMap((name) => functionsIn(folder === '' ? name : `${folder}/${name}`, folders))
    known.set(folder, found)
    return found
  }
  const nearest = (file: string) => foldersUp(folderOf(file)).find((folder) => writtenIn(folder).length > 0)
  return {
    endMsOf: (file) => {
      const folder = nearest(file)
      const path = folder === undefined ? null : pathBelow(file, folder)
      if (folder === undefined || path === null) return null
      const stem = path.replace(/\.\w+$/, '')
      return longest(writtenIn(folder).filter((each) => each.stem === stem))
    },
    longestMsOf: (file) => {
      const folder = nearest(file)
      return folder === undefined ? null : longest(writtenIn(folder))
    },
  }
}

function longest(functions: readonly AwsFunction[]): number | null {
  return functions.length === 0 ? null : Math.max(...functions.map(({ ms }) => ms))
}

function functionsIn(file: string, folders: Folders): readonly AwsFunction[] {
  const root = rootOf(file, folders)
  return root ? [...ofServerless(root), ...ofSam(root)] : []
}

function rootOf(file: string, folders: Folders): YamlNode | null {
  try {
    if (!isFoundFile(file, folders)) return null
    const read = readYamlDocuments({ file, text: new TextDecoder().decode(folders.read(file, MAX_BYTES)) })
    return read.ok ? (read.roots[0] ?? null) : null
  } catch {
    return null
  }
}

function ofServerless(root: YamlNode): readonly AwsFunction[] {
  const provider = yamlMember(root, 'provider')
  if ((yamlScalar(provider, 'name') ?? yamlScalar(root, 'provider'))?.text !== 'aws') return []
  const all = yamlMember(root, 'functions')
  if (!all) return []
  // Functions of other files are not read: how long those may run is not known.
  const listed = all.kind === 'list' ? all.items : [all]
  return listed.flatMap((each) =>
    each.kind === 'map'
      ? yamlEntries(each).map(([, one]) => ({
          stem: stemOf(yamlScalar(one, 'handler'), ''),
          ms: msOf(yamlMember(one, 'timeout') ?? yamlMember(provider, 'timeout'), SERVERLESS_DEFAULT_MS),
        }))
      : [{ stem: null, ms: lambdaMostMs }],
  )
}

function ofSam(root: YamlNode): readonly AwsFunction[] {
  const forAll = yamlMember(yamlMember(root, 'Globals'), 'Function')
  return yamlEntries(yamlMember(root, 'Resources')).flatMap(([, resource]) => {
    const type = yamlScalar(resource, 'Type')?.text
    if (type !== 'AWS::Serverless::Function' && type !== 'AWS::Lambda::Function') return []
    const properties = yamlMember(resource, 'Properties')
    const codeUri = yamlMember(properties, 'CodeUri') ?? yamlMember(forAll, 'CodeUri')
    const home = codeUri === undefined ? '' : codeUri.kind === 'scalar' ? codeUri.text : null
    const handler = yamlScalar(properties, 'Handler') ?? yamlScalar(forAll, 'Handler')
    return {
      stem: home === null ? null : stemOf(handler, home),
      ms: msOf(yamlMember(properties, 'Timeout') ?? yamlMember(forAll, 'Timeout'), SAM_DEFAULT_MS),
    }
  })
}

/** The file of `src/pay.handler` without its ending. */
function stemOf(handler: YamlScalar | undefined, home: string): string | null {
  const written = handler?.text ?? ''
  const end = written.lastIndexOf('.')
  return end <= written.lastIndexOf('/') || written.includes('$')
    ? null
    : tidyFolder(`${home}/./${written.slice(0, end)}`.replace(/^\/+/, ''))
}

/** What is computed may be anything up to the most there is. */
function msOf(timeout: YamlNode | undefined, defaultMs: number): number {
  if (timeout === undefined) return defaultMs
  const isNumber = timeout.kind === 'scalar' && /^\d{1,3}$/.test(timeout.text)
  return isNumber ? Math.min(lambdaMostMs, Number(timeout.text) * 1000) : lambdaMostMs
}
