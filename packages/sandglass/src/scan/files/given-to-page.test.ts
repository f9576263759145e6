import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const targets = (files: Record<string, string>) => scanTexts({ files }).calls.map(({ target }) => target)

test('what a server has a page run tells no browser, and is judged by nobody', () => {
  const text = `import { chromium } from 'playwright'
export async function titleOf(url: string) {
  const page = await (await chromium.launch()).newPage()
  await page.addInitScript(() => { window.name = 'a' })
  const title = await page.evaluate(() => document.title)
  const links = await page.$$eval('a', function (all) { return all.length + window.length })
  const text = await page.evaluate(async () => (await fetch('/api/text')).text())
  const far = await page.evaluate(async () => (await fetch('http://far')).text())
  return [title, links, text, far, await fetch('http://near')]
}`
  expect(targets({ 'shot.ts': text })).toEqual(['http://near'])
})

test('a page that has nothing to do with one that is driven is still a browser’s', () => {
  expect(targets({ 'a.ts': `export const a = () => { document.title = 'a'; return fetch('http://a') }` })).toEqual([])
})

test('a function that an engine of rules evaluates runs where the engine does', () => {
  expect(targets({ 'a.ts': `import { engine } from './engine'\nengine.evaluate(() => fetch('http://a'))` })).toEqual(['http://a'])
})
