import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('what googleapis makes waits for ever, unless it is made or asked with a timeout', () => {
  const code = `import { type drive_v3, google } from 'googleapis'
import { calendar } from '@googleapis/calendar'
import { auth } from './elsewhere'
const drive = google.drive({ version: 'v3', auth })
const mail = google.gmail({ version: 'v1', auth, timeout: 2000 })
await drive.files.list({ pageSize: 1 })
await drive.files.get({ fileId: 'f' }, { timeout: 500 })
await mail.users.messages.send({ userId: 'me' })
await calendar({ version: 'v3' }).events.insert({})
export const all = (given: drive_v3.Drive) => given.files.list()
const client = new google.auth.OAuth2('a', 'b')
client.generateAuthUrl({})`
  const scanned = scanTexts(code)
  expect(callLines(scanned)).toEqual([
    '6 googleapis unbounded',
    '7 googleapis bounded 500 total',
    '8 googleapis bounded 2000 total',
    '9 @googleapis unbounded',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:4 unbounded-call', 'code.ts:9 unbounded-call'])
  expect(callLines(scanTexts(`${code}\ngoogle.options({ timeout: 900 })`))[0]).toBe('6 googleapis unknown')
})

test('Gemini waits as fetch does up to 2.26, and for ever since it takes the limits of fetch away', () => {
  const files = {
    'code.ts': `import { GoogleGenAI } from '@google/genai'
const ai = new GoogleGenAI({ apiKey: 'k' })
const quick = new GoogleGenAI({ apiKey: 'k', httpOptions: { timeout: 2000 } })
await ai.models.generateContent({ model: 'm', contents: 'a' })
await ai.models.generateContent({ model: 'm', contents: 'a', config: { abortSignal: AbortSignal.timeout(500) } })
await ai.models.embedContent({ model: 'm', contents: 'a', config: { httpOptions: { timeout: 700 } } })
await quick.models.countTokens({ model: 'm', contents: 'a' })
const chat = ai.chats.create({ model: 'm' })
await chat.sendMessage({ message: 'a' })
const patient = ai.chats.create({ model: 'm', config: { httpOptions: { timeout: 900 } } })
await patient.sendMessage({ message: 'a' })`,
  }
  const at = (version?: string) => {
    const versions: Record<string, string> = version === undefined ? {} : { '@google/genai': version }
    return callLines(scanTexts({ files, versions })).map((line) => line.replace('google-genai ', ''))
  }
  const limited = ['5 bounded 500 total', '6 bounded 700 total', '7 bounded 2000 total']
  expect(at('1.40.0')).toEqual(['4 bounded 300000 silence', ...limited, '9 bounded 300000 silence', '11 unknown'])
  expect(at('2.30.0')).toEqual(['4 unbounded', ...limited, '9 unbounded', '11 unknown'])
  expect(at('2.28.0')[0]).toBe('4 unknown')
  expect(at()[0]).toBe('4 unknown')
})

test('the older client of Gemini has its timeout beside the model', () => {
  const scanned = scanTexts(`import { GoogleGenerativeAI } from '@google/generative-ai'
const ai = new GoogleGenerativeAI(process.env.KEY)
const model = ai.getGenerativeModel({ model: 'm' })
const quick = ai.getGenerativeModel({ model: 'm' }, { timeout: 2000 })
await model.generateContent('a')
await quick.generateContent('a')
await quick.startChat({ history: [] }).sendMessage('a')
await model.generateContent('a', { timeout: 500 })`)
  expect(callLines(scanned)).toEqual([
    '5 google-generative-ai bounded 300000 silence',
    '6 google-generative-ai bounded 2000 total',
    '7 google-generative-ai bounded 2000 total',
    '8 google-generative-ai bounded 500 total',
  ])
})

test('a token of Google is asked for without a limit', () => {
  const scanned = scanTexts(`import { google } from 'googleapis'
import { OAuth2Client } from 'google-auth-library'
const client = new google.auth.OAuth2(process.env.ID, process.env.SECRET, 'https://a')
export const link = () => client.generateAuthUrl({ scope: 'a' })
export const tokens = (code: string) => client.getToken(code)
export const user = (idToken: string) => new OAuth2Client('id').verifyIdToken({ idToken })
client.setCredentials({})`)
  expect(callLines(scanned)).toEqual(['5 googleapis unbounded', '6 google-auth-library unbounded'])
})

test('what to write for tokens of Google is what their clients hand on, by version', () => {
  const at = (made: string, versions: Record<string, string>) =>
    scanTexts({
      files: {
        'code.ts': `import { google } from 'googleapis'
import { GoogleAuth, OAuth2Client } from 'google-auth-library'
const client = ${made}
export const load = () => client.getAccessToken()`,
      },
      versions,
    })
  const fix = (made: string, versions: Record<string, string>) => at(made, versions).diagnostics[0]?.suggestion?.text
  const [now, before] = [
    { 'google-auth-library': '9.15.1', googleapis: '144.0.0' },
    { 'google-auth-library': '8.9.0', googleapis: '118.0.0' },
  ]
  const own = 'transporterOptions: { timeout: … }'
  const rest = '(ms) in an object of options that'
  const race = 'set a limit: a race with a timer: transporterOptions came with google-auth-library 9.2'
  expect(fix("new OAuth2Client('id', process.env.SECRET)", now)).toBe(`set a limit: ${own} ${rest} OAuth2Client is made with`)
  expect(fix("new google.auth.OAuth2('id')", now)).toBe(`set a limit: ${own} ${rest} OAuth2 is made with`)
  expect(fix('new GoogleAuth({ scopes: [] })', now)).toBe(`set a limit: clientOptions: { ${own} } ${rest} GoogleAuth is made with`)
  expect(fix("new OAuth2Client('id')", before)).toBe(race)
  expect(fix("new google.auth.OAuth2('id')", before)).toBe(race)
  expect(fix("new OAuth2Client('id')", {})).toBe(`set a limit: ${own} ${rest} OAuth2Client is made with, from google-auth-library 9.2 on`)
  const limited = "{ clientId: 'id', transporterOptions: { timeout: 400 } }"
  expect(callLines(at(`new OAuth2Client(${limited})`, now))).toEqual(['4 google-auth-library bounded 400 total'])
  expect(callLines(at(`new google.auth.OAuth2(${limited})`, now))).toEqual(['4 googleapis bounded 400 total'])
  expect(callLines(at(`new OAuth2Client(${limited})`, before))).toEqual(['4 google-auth-library unbounded'])
  expect(callLines(at("new OAuth2Client({ clientId: 'id', timeout: 400 })", now))).toEqual(['4 google-auth-library unbounded'])
  expect(callLines(at('new GoogleAuth({ clientOptions: { transporterOptions: { timeout: 400 } } })', now))).toEqual([
    '4 google-auth-library bounded 400 total',
  ])
})
