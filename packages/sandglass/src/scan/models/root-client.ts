import type { Client } from './library-model.js'

/** The client that a client was made from, and that from: the pool of a connection, the database of a cursor. */
export function rootClient(client: Client | null): Client | null {
  let root = client
  while (root?.parent) root = root.parent
  return root
}
