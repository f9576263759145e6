import type { LimitMs } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import { addNote, type HopFact } from './facts.js'
import { type FeignClient, feignClients } from './java-feign.js'
import { type HttpCall, httpCalls } from './java-http.js'
import type { JavaProject } from './java-project.js'
import { defaultLimit, type Written } from './limit-fact.js'
import type { SpringApplication } from './spring.js'
import { resolvedText } from './spring-placeholders.js'
import { targetOf } from './target.js'

/** A client that code declares, with its address as the settings make it. */
export interface CodeClient extends FeignClient {
  readonly address: Written
}

/** Clients of Feign that an application's code declares or uses. */
export function codeClients({ settings }: SpringApplication, root: string | null, project: JavaProject): readonly CodeClient[] {
  if (root === null) return []
  const resolved = ({ text, spot }: Written) => ({ text: resolvedText(text, settings), spot })
  return feignClients(root, project).map((client) => {
    const url = client.url ? resolved(client.url) : null
    const address = url && url.text !== '' ? url : resolved(client.name)
    return { ...client, key: resolvedText(client.key, settings), address }
  })
}

/** Calls by URL in an application's code; one call for each address. */
export function codeHops(application: SpringApplication, root: string | null, project: JavaProject): readonly HopFact[] {
  if (root === null) return []
  const { calls, limitedAt, made } = httpCalls(root, project)
  const hops = new Map<string, HopFact>()
  for (const call of calls) {
    const url = resolvedText(call.url.text, application.settings)
    const target = targetOf(url, call.url.spot)
    const key = `${target.host}:${target.port}`
    if (!/^(https?|lb):\/\//.test(url) || target.host === null || hops.has(key)) continue
    const isKnown = limitedAt === null && made.has(call.client) && call.client !== 'RestClient' && !application.settings.has('spring.http')
    hops.set(key, {
      spot: call.url.spot,
      target: { ...target, path: null },
      fields: isKnown ? defaultsOf(application, call) : { timeoutMs: declared('unknown', call.url.spot) },
      remarks: isKnown ? [`${call.client} as it is made in the code, with no limits set.`] : [],
    })
  }
  if (limitedAt && hops.size > 0)
    addNote(application.draft, 'unknown', limitedAt, 'limits of calls by URL are set in the code; they are not read')
  return [...hops.values()]
}

function defaultsOf({ draft }: SpringApplication, { client, url }: HttpCall): HopFact['fields'] {
  const limit = (system: string, key: string): Sourced<LimitMs> | undefined =>
    defaultLimit({ draft, system, version: null, key, at: url.spot }, url.spot)
  if (client !== 'WebClient') {
    const silenceMs = limit('spring-boot', 'RestTemplate (SimpleClientHttpRequestFactory)')
    return silenceMs ? { silenceMs } : {}
  }
  const attemptMs = limit('reactor-netty', 'responseTimeout')
  const wait = limit('reactor-netty', 'pendingAcquireTimeout')
  return { ...(attemptMs ? { attemptMs } : {}), ...(wait ? { queue: { spot: url.spot, perAttemptMs: wait } } : {}) }
}
