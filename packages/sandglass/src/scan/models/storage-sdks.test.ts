import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('HubSpot waits for ever', () => {
  const scanned = scanTexts(`import { Client } from '@hubspot/api-client'
await new Client({ accessToken: 't' }).crm.contacts.basicApi.create({ properties: {} })`)
  expect(callLines(scanned)).toEqual(['2 hubspot unbounded'])
})

test('Neon is asked by fetch, as a template, as a query, or with drizzle above it', () => {
  const scanned = scanTexts(`import { neon } from '@neondatabase/serverless'
import { drizzle } from 'drizzle-orm/neon-http'
const sql = neon(process.env.DATABASE_URL)
await sql\`select 1\`
await sql.query('select 1', [], { fetchOptions: { signal: AbortSignal.timeout(500) } })
await sql.transaction([sql\`select 1\`, sql\`select 2\`])
const db = drizzle(sql)
await db.select().from('orders')`)
  expect(callLines(scanned)).toEqual([
    '4 neon bounded 300000 silence',
    '5 neon bounded 500 total',
    '6 neon bounded 300000 silence',
    '8 drizzle bounded 300000 silence',
  ])
})

test('webhooks of Slack, GitLab and Loops', () => {
  const code = `import { IncomingWebhook } from '@slack/webhook'
import { Gitlab } from '@gitbeaker/rest'
import { LoopsClient } from 'loops'
import { url } from './elsewhere'
await new IncomingWebhook(url).send({ text: 'a' })
await new IncomingWebhook(url, { timeout: 900 }).send('a')
await new Gitlab({ token: 't' }).Projects.all()
await new Gitlab({ token: 't', queryTimeout: 2000 }).Users.showCurrentUser()
await new LoopsClient('k').sendTransactionalEmail({ email: 'a@a.a' })`
  const at = (version: string) => callLines(scanTexts({ files: { 'code.ts': code }, versions: { '@slack/webhook': version } }))
  const others = ['7 gitbeaker bounded 300000 total', '8 gitbeaker bounded 2000 total', '9 loops bounded 300000 silence']
  expect(at('7.0.2')).toEqual(['5 slack-webhook unbounded', '6 slack-webhook bounded 900 silence', ...others])
  expect(at('8.0.2')).toEqual(['5 slack-webhook bounded 300000 silence', '6 slack-webhook bounded 900 total', ...others])
})
