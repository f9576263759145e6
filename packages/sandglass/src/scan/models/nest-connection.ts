import type { Term } from '../terms/term.js'
import type { Client, Site } from './library-model.js'
import { factoryOptions, projectClient } from './project-client.js'

/** The options that a project's one `BullModule.forRoot` gives to all queues, and where; null where a queue may have a connection of its own. */
export function nestConnection(site: Site, from: string, key: string): { readonly client: Client; readonly options: Term } | null {
  const { uses, evaluator } = site
  const roots = [`${from}:BullModule.forRoot`, `${from}:BullModule.forRootAsync`]
  const all = roots.flatMap((name) => uses.callsOf(name))
  const [root] = all
  const client = all.length === 1 && root?.args.length === 1 ? projectClient(site, roots, 0) : null
  const options = client && factoryOptions(client.options, site)
  if (!client || options?.kind !== 'object') return null
  const queues = ['registerQueue', 'registerQueueAsync'].flatMap((name) => uses.callsOf(`${from}:BullModule.${name}`))
  const isOwn = (term: Term) =>
    term.kind !== 'object' ||
    [key, 'createClient', 'configKey', 'useFactory', 'useClass'].some((name) => isGiven(evaluator.memberOf(term, name)))
  return queues.some(({ args }) => args.some(isOwn)) ? null : { client, options }
}

const isGiven = (term: Term) => !(term.kind === 'constant' && term.value === undefined)
