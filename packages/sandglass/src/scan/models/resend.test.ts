import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('Resend waits as fetch does, whatever its key is, and a race ends it', () => {
  const scanned = scanTexts(`import { Resend } from 'resend'
import { key, pTimeout } from './elsewhere'
const resend = new Resend(key)
export const send = (mail: object) => resend.emails.send(mail)
export const all = (mails: object[]) => resend.batch.send(mails)
export const quick = (mail: object) => Promise.race([resend.emails.send(mail), new Promise((_, no) => setTimeout(no, 500).unref())])
export const list = () => [resend.emails, resend.key]`)
  expect(callLines(scanned)).toEqual(['4 resend bounded 300000 silence', '5 resend bounded 300000 silence', '6 resend bounded 500 total'])
  expect(findingLines(scanned).filter((line) => line.endsWith('default-bound'))).toHaveLength(1)
})

test('a mail that is written in JSX is sent by a server', () => {
  const text = `import { Resend } from 'resend'\nconst resend = new Resend(process.env.KEY)\nexport const send = () => resend.emails.send({ react: <p /> })`
  expect(scanTexts({ files: { 'mail.tsx': text } }).diagnostics.map(({ severity }) => severity)).toEqual(['warning'])
})
