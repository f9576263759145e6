import pRetry from 'p-retry'
import { db, payments } from './clients.js'

export async function place(id, order) {
  const stock = await fetch(`http://inventory:8080/stock/${id}`)
  await pRetry(() => payments.post('/charge', order, { signal: AbortSignal.timeout(900) }), { retries: 2, minTimeout: 100, factor: 1 })
  await fetch('http://promotion:8080/apply', { signal: AbortSignal.timeout(700) })
  return db.query('insert into orders values ($1)', [id, await stock.json()])
}
