import type { Sighting } from '../sighting.js'
import type { SyntaxNode, SyntaxTree } from '../syntax-tree.js'
import type { JavaReader } from './java-call.js'
import { readApache, readDriverManager, readFeign, readJedis, readLettuce, readOkHttp } from './java-clients.js'
import { readJdkRequest, readUrlConnection } from './java-http.js'
import { readRestTemplate, readWebClient } from './java-spring.js'
import { type JavaFile, javaArguments, javaFile, javaValues } from './java-values.js'

const READERS: readonly JavaReader[] = [
  readRestTemplate,
  readWebClient,
  readJdkRequest,
  readFeign,
  readOkHttp,
  readJedis,
  readLettuce,
  readDriverManager,
  readApache,
]

/** A text without one of these words calls nothing that is known. */
export const JAVA_SIEVE: RegExp =
  /\b(RestTemplate|WebClient|HttpRequest|openConnection|openStream|Feign|OkHttpClient|Jedis|JedisPool|RedisClient|DriverManager|HttpClients|HttpClientBuilder|DefaultHttpClient)\b/

/** The calls of known libraries in a Java file. */
export function scanJava(tree: SyntaxTree): readonly Sighting[] {
  const file = javaFile(tree)
  return tree.nodes.flatMap((node) => (/^(method_invocation|object_creation_expression)$/.test(node.type) ? sightingsOf(file, node) : []))
}

function sightingsOf(file: JavaFile, node: SyntaxNode): readonly Sighting[] {
  const connection = node.type === 'method_invocation' ? readUrlConnection(file, node) : null
  if (connection) return [connection]
  const [value, ...rest] = javaValues(file, node)
  if (value?.kind !== 'known' || rest.length > 0 || value.makers.at(-1) !== node) return []
  const call = { file, node, path: value.path, makers: value.makers, args: javaArguments(node) }
  return READERS.flatMap((read) => read(call) ?? [])
}
