import { PYTHON } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { argumentsOf } from './python-arguments.js'
import { limitOf, madeBy, type PythonCall, type PythonReader, sightingOf } from './python-call.js'

const MAKERS = ['boto3', 'boto3.Session()', 'boto3.session.Session()']
const CONFIGS = ['botocore.config.Config()', 'botocore.client.Config()', 'boto3.session.Config()']

/** The clients and resources of AWS. */
export const BOTO3: ReadonlyMap<string, PythonReader> = new Map(
  MAKERS.flatMap((maker) => ['client', 'resource'].map((name) => [`${maker}.${name}`, readClient] as const)),
)

function readClient(call: PythonCall): Sighting {
  return sightingOf(PYTHON.boto3, call, boto3Limit(call))
}

function boto3Limit(call: PythonCall): Limit {
  const { keywords, isOpen } = call.args
  if (onlySigns(call.node)) return UNKNOWN_LIMIT
  const hasDefaultConfig = call.file.mentions.has('set_default_client_config')
  if (isOpen || hasDefaultConfig) return UNKNOWN_LIMIT
  const config = keywords.get('config')
  if (!config || config.type === 'none') return ABSENT
  const maker = madeBy(call.file, config, CONFIGS)
  return maker ? limitOf({ ...call, args: argumentsOf(maker) }, 'read_timeout', 'silence') : UNKNOWN_LIMIT
}

const SIGNS: ReadonlySet<string> = new Set(['generate_presigned_url', 'generate_presigned_post'])

/** What signs addresses asks nobody. */
function onlySigns(node: SyntaxNode): boolean {
  const left = node.parent?.type === 'assignment' ? childOf(node.parent, 'left') : null
  if (left?.type !== 'identifier') return false
  const uses = node.tree.nodes.filter(({ type, text, start }) => type === 'identifier' && text === left.text && start !== left.start)
  const asked = uses.filter(({ parent, field }) => !(parent?.type === 'assignment' && field === 'left'))
  return (
    asked.length > 0 && asked.every(({ parent }) => parent?.type === 'attribute' && SIGNS.has(childOf(parent, 'attribute')?.text ?? ''))
  )
}
