import type { Node } from 'oxc-parser'
import type { Client } from '../models/library-model.js'
import type { SeenCall } from '../scan-view.js'

/** What makes a client that a library also asks where nobody names it. */
const MAKES_COMMON_ONE = /^(mongoose:connect|firebase-admin:.*|typeorm:.*|sequelize:.*)$/

/** Where clients are made of which no call is seen, and that only their name leads to. */
export function unaskedClients(calls: readonly SeenCall[]): ReadonlySet<Node> {
  const asked = new Set(calls.flatMap(({ isClient, site }) => (isClient ? [] : identitiesOf(site.client))))
  const made = calls.filter(({ isClient, site: { client, model } }) => {
    if (!isClient || client === null || client.identity === null || asked.has(client.identity)) return false
    return !MAKES_COMMON_ONE.test(`${model.id}:${client.madeBy}`)
  })
  return new Set(made.map(({ site }) => site.node))
}

function identitiesOf(client: Client | null): readonly string[] {
  const found: string[] = []
  for (let here = client; here; here = here.parent) found.push(...here.others, ...(here.identity === null ? [] : [here.identity]))
  return found
}
