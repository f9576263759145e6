import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string) => callLines(scanTexts(code))

test('a command over SSH has no limit, whatever the handshake has', () => {
  const ran = (around: string) => `import { Client } from 'ssh2'
export const run = (host: string) => new Promise((resolve, reject) => {
  const shell = new Client()
  ${around}
  shell.on('error', reject).on('ready', () => {
    shell.exec('uptime', (error, stream) => stream.on('close', () => resolve(null)))
  }).connect({ host, readyTimeout: 500 })
})`
  expect(lines(ran(''))).toEqual(['5 ssh2 bounded 500 total', '6 ssh2 unbounded'])
  expect(findingLines(scanTexts(ran('')))).toEqual(['code.ts:3 unbounded-call'])
  expect(findingLines(scanTexts(ran('').replace(', readyTimeout: 500', '')))).toEqual(['code.ts:3 unbounded-call'])
  expect(lines(ran('setTimeout(() => shell.end(), 5000)'))).toContain('6 ssh2 unknown')
  expect(lines(ran('setTimeout(() => log(host), 5000)'))).toContain('6 ssh2 unbounded')
})

test('files over SSH', () => {
  expect(
    lines(`import { Client } from 'ssh2'
import Files from 'ssh2-sftp-client'
import { NodeSSH } from 'node-ssh'
const shell = new Client()
shell.sftp((error, files) => files.readdir('/', done))
const files = new Files()
await files.connect({ host: 'a' })
await files.put('a', '/a')
const machine = new NodeSSH()
await machine.connect({ host: 'a', readyTimeout: 500 })
await machine.execCommand('uptime')
machine.isConnected()`),
  ).toEqual([
    '5 ssh2 unbounded',
    '5 ssh2 unbounded',
    '7 ssh2-sftp-client bounded 20000 total',
    '8 ssh2-sftp-client unbounded',
    '10 node-ssh bounded 500 total',
    '11 node-ssh unbounded',
  ])
})

test('git asks another machine also where its command is written out', () => {
  expect(
    lines(`import git from 'simple-git'
await git().silent(true).env('A', 'b').raw(['clone', '-b', 'main', 'https://a/b', '/tmp/b'])
await git().raw('fetch', 'origin')
await git().raw(['rev-parse', 'HEAD'])
await git({ timeout: { block: 500 } }).raw(['push'])`),
  ).toEqual(['2 simple-git unbounded', '3 simple-git unbounded', '5 simple-git bounded 500 silence'])
})

test('a browser is judged where it is started', () => {
  const scanned = scanTexts({
    files: {
      'code.ts': `import puppeteer from 'puppeteer-core'
export const print = async (html: string) => {
  const browser = await puppeteer.launch({ headless: true })
  const page = await browser.newPage()
  await page.setContent(html, { timeout: 900 })
}
export const quick = () => puppeteer.launch({ protocolTimeout: 900 })`,
    },
    versions: { 'puppeteer-core': '22.6.3' },
  })
  expect(scanned.diagnostics.map(({ message }) => message)).toEqual([
    'nothing but the default of puppeteer-core 22.6.3 ends this call: 180 s for the answer of the browser to a command',
  ])
})
