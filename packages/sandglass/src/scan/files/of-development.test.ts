import { expect, test } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { scanTexts } from '../scan.fixture.js'

function told(text: string): string[] {
  return scanTexts({ files: { 'a.ts': text }, versions: { '@google-cloud/storage': '7.18.0' } }).diagnostics.map(
    ({ severity, spot }) => `${severity} ${placeOf(spot).line}`,
  )
}

const CALL = `fetch('http://a')`

test.each([
  `if (process.env.NODE_ENV === 'development') { await ${CALL} }`,
  `if (process.env.NODE_ENV !== 'production') await ${CALL}`,
  `if (app.get('env') === 'test') await ${CALL}`,
  `if (config.isProd) { start() } else { await ${CALL} }`,
  `if (!isProduction && isReady) await ${CALL}`,
  `if (isDevOrTest || env.NODE_ENV === 'local') await ${CALL}`,
  `const dev = process.env.NODE_ENV !== 'production'\ndev && (await ${CALL})`,
  `const answer = IS_PRODUCTION ? null : await ${CALL}`,
  `export const load = async () => { if (isProduction()) return null\nreturn ${CALL} }`,
  `if (this.emulatorHost) await ${CALL}`,
  `// All of it is built anew in development.\nif (options.dev) await ${CALL}`,
  `export const load = async () => {\n// In production it is built.\nif (!options?.dev) return null\nreturn ${CALL} }`,
  `if (!this.config.prod) await ${CALL} // In production it is there.`,
  `if (process.env.TEST_CLEAN_DATABASE === '1') await ${CALL}`,
  `// All goes to the dev server during\n// development.\nif (process.env.PAGES_URL) await ${CALL}`,
])('what only runs while a program is developed is an info that says so: %s', (text) => {
  const [found] = scanTexts({ files: { 'a.ts': text } }).diagnostics
  expect(found?.severity).toBe('info')
  expect(found?.message).toMatch(/; only development runs it$/)
})

test.each([
  `if (process.env.NODE_ENV !== 'development') await ${CALL}`,
  `if (process.env.NODE_ENV !== 'test') await ${CALL}`,
  `if (process.env.NODE_ENV === 'production') await ${CALL}`,
  `if (isDev || isReady) await ${CALL}`,
  `if (isProduction) log()\nawait ${CALL}`,
  `if (dev) await ${CALL}`,
  `if (options.dev) await ${CALL}`,
  `// In production.\nif (serial.dev) await ${CALL}`,
  `// In production.\nif (options.prod) await ${CALL}`,
  `if (kind === 'test') await ${CALL}`,
  `if (options.environment === 'TEST') await ${CALL}`,
  `if (noEmulator) await ${CALL}`,
  `if (isTest) await ${CALL}`,
  `if (process.env.STORAGE === 'local') await ${CALL}`,
  `export const load = async () => { if (isDev()) return null\nreturn ${CALL} }`,
  `// Asks the pages where they are.\nif (process.env.PAGES_URL) await ${CALL}`,
])('what production runs, too, is as severe as it was: %s', (text) => {
  expect(scanTexts({ files: { 'a.ts': text } }).diagnostics.map(({ severity }) => severity)).toEqual(['warning'])
})

test('of two clients with the same lack the one of production is told', () => {
  const made = (left: string) =>
    `import { Pool } from 'pg'\nlet db\nif (isDev) {\n${left} new Pool({ host: 'a' })\n} else {\n${left} new Pool({})\n}\n`
  expect(told(`${made('db =')}export const load = () => db.query('select 1')`)).toEqual(['error 6'])
  const storage = `import { Storage } from '@google-cloud/storage'\nclass A {\nconstructor(host) {\nthis.emulatorHost = host\nif (this.emulatorHost) {\nthis.storage = new Storage({ apiEndpoint: host })\nthis.bucket = this.storage.bucket('a')\nreturn\n}\nthis.storage = new Storage()\nthis.bucket = this.storage.bucket('a')\n}\nload() { return this.bucket.file('a').exists() } }\nexport const a = new A()`
  expect(told(storage)).toEqual(['error 10'])
  const inClass = `import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3'\nclass A {\nconstructor(isDevelopmentEnv) {\nif (isDevelopmentEnv) { this.c = new S3Client({ endpoint: 'a' })\n} else {\nthis.c = new S3Client({})\n} }\nload() { return this.c.send(new GetObjectCommand({})) } }\nexport const a = new A(false)`
  expect(told(inClass)).toEqual(['error 6'])
})

test('where the one of production has its limit, the other one is an info', () => {
  const made = (dev: string, rest: string) =>
    `import axios from 'axios'\nconst api = isDev\n? axios.create(${dev})\n: axios.create(${rest})\nexport const load = () => api.get('http://a')`
  expect(told(made('{}', '{ timeout: 500 }'))).toEqual(['info 3'])
  expect(told(made('{ timeout: 500 }', '{}'))).toEqual(['error 4'])
})
