import type { ClientCase } from './client-case.js'
import { range } from './judge.js'
import type { ServerCase } from './server-case.js'

/** Where the page is, in the repository. */
export const PAGE = 'docs/clients.md'

const HEAD = `# What clients really do with time

Each row is a snippet that was executed against a peer on this machine that misbehaves, and what was seen; none is taken from documentation. To measure again:

\`\`\`
npm run clients                       # all, in about two minutes; installs the libraries below .cache/clients
npm run clients -- --only 'got '      # cases whose name has these words
npm run clients -- --long             # the defaults of minutes, which takes a quarter of an hour
npm run clients -- --watch 65         # what is said to have no limit, each call for 65 s
npm run clients -- --only ky --print  # with every number
\`\`\`

The snippets are in [packages/sandglass/test/clients/cases](../packages/sandglass/test/clients/cases); \`npm run clients -- --page\` writes this page from them.
Measured with Node 20.20.2 on Linux, PostgreSQL 15, MariaDB 10.11, Redis 7.0 and RabbitMQ 3.10.

## Not as it seems

- \`timeout\` of **axios**, **Stripe** and \`socket\` of **got** is silence: a peer that sends a byte now and then holds the call for ever. That of **openai** and **ky 1** is over at the headers.
- **node:http** \`timeout\` only emits an event. The option covers connecting, \`request.setTimeout()\` does not.
- **undici** \`request()\` does not look at its signal before the connection is open; \`fetch()\` does. Its own limits end up to a second late.
- **AbortSignal.any** over \`AbortSignal.timeout\` is forgotten by Node 20.20.2 as soon as memory is collected.
- A timer that is cleared when \`fetch\` resolves leaves the body with 300 s of silence. \`Promise.race\`, **p-timeout** and **opossum** leave the request at the peer.
- **pg** \`query_timeout\` bounds neither the wait for a client nor the work of the server; a server that is not heard from is never ended by \`statement_timeout\`.
- **mysql2** \`timeout\` of \`execute()\` does not cover its preparation; \`queryTimeout\` and \`acquireTimeout\` do not exist. **postgres** has no limit of a query at all.
- **ioredis** \`commandTimeout\` covers the wait for a connection, but not that of a cluster. **redis** \`commandOptions.timeout\` ends where the command was written.
- **mongodb** 6.22 and 7.9 ignore \`timeoutMS\`; \`socketTimeoutMS\` is tried twice.
- **kafkajs** \`send({ timeout })\` is for the broker. **@grpc/grpc-js** ignores \`timeout\`, and takes a duration given as a deadline for an instant in 1970.
- **AWS SDK v3** \`requestTimeout\` warns and lets the call go on, unless \`throwOnRequestTimeout\` is set.
- **Elasticsearch** had 30 s up to 8.19.1, has ten minutes in 8.19.2 and nothing from 9 on; \`retryOnTimeout\` is never passed on.
- **ofetch** \`timeout\` and **@notionhq/client** \`timeoutMs\` are over at the headers. **@octokit/rest** ignores \`request.timeout\` from 20 on.
- **@vercel/blob** takes the end of \`AbortSignal.timeout\` for a failure of the network, and waits on for its ten retries, a quarter of an hour and more.
- **@google/genai** takes the 300 s away that the fetch of Node ends with, from 2.29 on; APIs of **googleapis** try their timeouts twice more where they only ask.
- **fastify** takes the 300 s away that Node gives a request to arrive. Node 20.20.2 keeps an idle connection a second longer than \`keepAliveTimeout\` says.

## How to read the tables

**bounds** is the limit of one attempt and its [kind](../GLOSSARY.md#time): \`total\` ends a peer that sends a byte each 100 ms, \`silence\` and \`headers\` do not; \`headers\` does not end
one that falls silent after them. \`unbounded\` was still pending after 65 s. **worst** is all attempts with the waits between them, and other limits that come before, in ms. **attempts** is what a peer saw that never
answers. **cancels** says whether the peer saw the close (a database: whether it stopped working) when the caller had its error.
`

/** The page that shows what was measured. */
export function clientsPage(clients: readonly ClientCase[], servers: readonly ServerCase[]): string {
  const libraries = [...new Set(clients.map(({ library }) => library))]
  const sections = libraries.map((library) =>
    section(
      library,
      clients.filter((one) => one.library === library),
    ),
  )
  return `${HEAD}\n${sections.join('\n')}\n${serverSection(servers)}`
}

function section(library: string, cases: readonly ClientCase[]): string {
  const rows = cases.map((one) => [
    versionOf(one.packages),
    code(one.setting),
    bounds(one),
    worst(one),
    attempts(one),
    cancels(one),
    one.note ?? '',
  ])
  return `## ${library}\n\n${table(['version', 'set', 'bounds', 'worst', 'attempts', 'cancels', ''], rows)}`
}

function serverSection(servers: readonly ServerCase[]): string {
  const rows = servers.map(({ library, packages, setting, listened, idleEnds, hangEnds, note }) => [
    library,
    versionOf(packages),
    code(setting),
    spaced(listened.requestTimeoutMs),
    spaced(listened.headersTimeoutMs),
    spaced(listened.keepAliveTimeoutMs),
    spaced(idleEnds),
    hangEnds === null ? 'never' : spaced(hangEnds),
    note ?? '',
  ])
  const heads = [
    'server',
    'version',
    'set',
    'requestTimeout',
    'headersTimeout',
    'keepAliveTimeout',
    'an idle connection ends',
    'a handler that hangs ends',
    '',
  ]
  return `## Servers\n\nAs read off the server that listens, in ms, and as seen by a client; 0 is none.\n\n${table(heads, rows)}`
}

/** Of the library and, where it has one, what is around it. */
function versionOf(packages: readonly string[]): string {
  const [first] = packages
  if (first === undefined) return 'Node 20.20.2'
  const own = first.slice(first.lastIndexOf('@') + 1)
  const around = packages.slice(1).filter((each) => each.includes('retry'))
  return [own, ...around].join(', ')
}

function bounds({ expected }: ClientCase): string {
  if (expected.state === 'bounded') return `${spaced(expected.ms)} ${expected.kind}`
  return expected.state
}

function worst({ expected, worstMs }: ClientCase): string {
  if (expected.state !== 'bounded' || worstMs === null) return 'none'
  return worstMs === undefined ? spaced(expected.ms) : span(range(worstMs))
}

/** At the peer that never answers, or else at the first that ends the call. */
function attempts(one: ClientCase): string {
  const [silent] = [one.seen.hang, ...Object.values(one.seen)].filter((seen) => seen !== undefined)
  return span(range(silent?.attempts ?? one.attempts ?? 1))
}

function cancels(one: ClientCase): string {
  // Where the peer itself ended it, there was nothing to cancel.
  const ended = Object.entries(one.seen).flatMap(([mode, seen]) =>
    seen.ends === 'never' || /^(busy|refuse|accept-and-close|black-hole)$/.test(mode) ? [] : [seen],
  )
  if (ended.length === 0) return ''
  const answers = new Set(ended.map((seen) => (seen.cancelsWork === undefined ? (one.cancelsWork ?? true) : seen.cancelsWork)))
  answers.delete(null)
  if (answers.size === 0) return ''
  return answers.size > 1 ? 'not always' : answers.has(true) ? 'yes' : 'no'
}

const span = ([from, to]: readonly [number, number]) => (from === to ? spaced(from) : `${spaced(from)}-${spaced(to)}`)
const spaced = (value: number) => `${value}`.replace(/\B(?=(\d{3})+$)/g, ' ')
const code = (text: string) => (text.startsWith('nothing') ? text : `\`${text.replaceAll('|', '\\|')}\``)

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return `${line(heads)}|${'---|'.repeat(heads.length)}\n${rows.map(line).join('')}`
}
