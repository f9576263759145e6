import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('a query of Supabase waits as fetch does, from its first word to its last', () => {
  const scanned = scanTexts(`import { createClient } from '@supabase/supabase-js'
import { key, tell } from './elsewhere'
const db = createClient('https://a', key)
await db.from('orders').select('*').eq('id', 1).single()
await db.rpc('count_orders')
await db.from('orders').select('*').abortSignal(AbortSignal.timeout(500))
await db.storage.from('files').upload('a.txt', 'a')
await db.auth.getUser()
const table = db.from('orders')
const link = db.storage.from('files').getPublicUrl('a.txt')
db.auth.onAuthStateChange(() => {})
tell(db.from('orders').select('*'))
db.channel('a').subscribe()`)
  expect(callLines(scanned)).toEqual([
    '4 supabase bounded 300000 silence',
    '5 supabase bounded 300000 silence',
    '6 supabase bounded 500 total',
    '7 supabase bounded 300000 silence',
    '8 supabase bounded 300000 silence',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:3 default-bound'])
})

test('a fetch of one’s own, and a client that is handed in, may have any limit', () => {
  const scanned = scanTexts(`import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { createServerClient } from '@supabase/ssr'
import { load } from './elsewhere'
const own = createClient('https://a', 'k', { global: { fetch: load } })
await own.from('orders').insert({ id: 1 })
export const all = (db: SupabaseClient) => db.from('orders').select()
export const user = () => createServerClient('https://a', 'k', { cookies: {} }).auth.getUser()`)
  expect(callLines(scanned)).toEqual(['5 supabase unknown', '6 supabase unknown', '7 supabase bounded 300000 silence'])
})
