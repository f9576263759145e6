import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('what tells people something waits for ever, or as its fetch does', () => {
  const code = `import { APIClient, TrackClient } from 'customerio-node'
import * as OneSignal from '@onesignal/node-onesignal'
import { Expo } from 'expo-server-sdk'
const track = new TrackClient(process.env.SITE, process.env.KEY)
await track.identify('1', {})
await new APIClient(process.env.KEY, { timeout: 500 }).sendEmail(mail)
await new TrackClient('a', 'b', { agent: own }).track('1', {})
const pushes = new OneSignal.DefaultApi(OneSignal.createConfiguration({ restApiKey: 'a' }))
await pushes.createNotification(notice)
await new OneSignal.DefaultApi(OneSignal.createConfiguration({ httpApi: own })).getApps()
await new OneSignal.DefaultApi(given).getApps()
await new Expo().sendPushNotificationsAsync([])
await new Expo({ httpAgent: own }).sendPushNotificationsAsync([])`
  const now = { 'customerio-node': '4.4.0', '@onesignal/node-onesignal': '5.18.0', 'expo-server-sdk': '6.1.0' }
  expect(lines(code, now)).toEqual([
    '5 customerio-node unbounded',
    '6 customerio-node unbounded',
    '7 customerio-node unknown',
    '9 onesignal bounded 300000 silence',
    '10 onesignal unknown',
    '11 onesignal unknown',
    '12 expo-server-sdk bounded 300000 silence',
    '13 expo-server-sdk unknown',
  ])
  const before = { 'customerio-node': '4.4.0', '@onesignal/node-onesignal': '1.0.0-beta9', 'expo-server-sdk': '4.0.0' }
  expect(lines(code, before).filter((line) => /^(9|12) /.test(line))).toEqual(['9 onesignal unbounded', '12 expo-server-sdk unbounded'])
})

test('customers, tables and songs', () => {
  expect(
    lines(
      `import { IntercomClient } from 'intercom-client'
import Airtable from 'airtable'
import SpotifyWebApi from 'spotify-web-api-node'
const intercom = new IntercomClient({ token: 'a' })
await intercom.contacts.find({ contact_id: 'a' })
await intercom.contacts.find({ contact_id: 'a' }, { timeoutInSeconds: 2 })
const base = new Airtable({ apiKey: 'a' }).base('a')
await base('b').select().firstPage()
await base('b').find('c')
await new Airtable({ apiKey: 'a', requestTimeout: 500 }).base('a')('b').create([])
const spotify = new SpotifyWebApi({ clientId: 'a' })
await spotify.clientCredentialsGrant()
spotify.getAccessToken()`,
      { 'intercom-client': '7.0.3' },
    ),
  ).toEqual([
    '5 intercom-client bounded 20000 headers',
    '6 intercom-client bounded 2000 headers',
    '8 airtable bounded 300000 headers',
    '9 airtable bounded 300000 headers',
    '10 airtable bounded 500 headers',
    '12 spotify-web-api-node unbounded',
  ])
})

test('a certificate is got, and logs are sent, without a limit', () => {
  expect(
    lines(`import SnsValidator from 'sns-validator'
export const check = (body) => new Promise((yes, no) => {
  const validator = new SnsValidator()
  validator.validate(body, (error) => (error ? no(error) : yes()))
})
`),
  ).toEqual(['4 sns-validator unbounded'])
  expect(
    lines(`import WinstonCloudWatch from 'winston-cloudwatch'
logger.transports = [new WinstonCloudWatch({ logGroupName: 'a' })]
logger.add(new WinstonCloudWatch({ awsOptions: { requestHandler: { requestTimeout: 500, throwOnRequestTimeout: true } } }))
logger.add(new WinstonCloudWatch({ cloudWatchLogs: own }))`),
  ).toEqual(['2 winston-cloudwatch unbounded', '3 winston-cloudwatch bounded 500 total', '4 winston-cloudwatch unknown'])
})

test('Firebase waits for keys and tokens, told once where its application is made', () => {
  const scanned = scanTexts(`import admin from 'firebase-admin'
admin.initializeApp({ credential: admin.credential.cert(path) })
export const who = (token) => admin.auth().verifyIdToken(token)
export const tell = (message) => admin.messaging().send(message)
export const own = (uid) => admin.auth().createCustomToken(uid)`)
  expect(callLines(scanned)).toEqual(['3 firebase-admin unbounded', '4 firebase-admin unbounded'])
  expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
  expect(
    lines(`import { initializeApp } from 'firebase-admin/app'
import { getAuth } from 'firebase-admin/auth'
import { getMessaging } from 'firebase-admin/messaging'
const app = initializeApp()
await getAuth(app).getUser('a')
await getMessaging().sendEachForMulticast(message)`),
  ).toEqual(['5 firebase-admin unbounded', '6 firebase-admin unbounded'])
})

test('what is asked by the requests of a client of Customer.io is asked by it', () => {
  const code = "import { TrackClient } from 'customerio-node'\nawait new TrackClient('a', 'b').request.post('c/batch', {})"
  expect(lines(code, { 'customerio-node': '4.4.0' })).toEqual(['2 customerio-node unbounded'])
})
