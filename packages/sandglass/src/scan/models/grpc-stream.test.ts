import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a stream of gRPC that is read to its end ends by its deadline; what watches is meant to stay open', () => {
  const scanned = scanTexts(`import * as grpc from '@grpc/grpc-js'
const { shop } = grpc.loadPackageDefinition(definition)
const orders = new shop.Orders('orders:1', grpc.credentials.createInsecure())
orders.list({ day: 1 }).on('data', (order) => save(order))
orders.list({ day: 1 }, { deadline: Date.now() + 500 }).on('data', save)
for await (const order of orders.list({ day: 1 }, new grpc.Metadata())) save(order)
orders.watch({ day: 1 }).on('data', save)
const upload = orders.put((error, answer) => done())
orders.list({ day: 1 })`)
  expect(callLines(scanned)).toEqual(['4 grpc-js unbounded', '5 grpc-js bounded 500 total', '6 grpc-js unbounded'])
})
