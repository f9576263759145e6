import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../src/model/diagnostic.js'
import { allScanRules } from '../src/scan/all-scan-rules.js'
import { scanTexts } from '../src/scan/scan.fixture.js'

const folder = fileURLToPath(new URL('../../../docs/rules/', import.meta.url))

interface Page {
  readonly id: string
  readonly reported: string
  readonly finding: string
  readonly notReported: string
}

/** A page shows code with its finding, and then code without. */
function pages(): Page[] {
  const ids = readdirSync(folder).flatMap((name) => (allScanRules.some(({ id }) => `${id}.md` === name) ? [name.slice(0, -3)] : []))
  return ids.map((id) => {
    const text = readFileSync(`${folder}${id}.md`, 'utf8')
    const [, reported = '', notReported = ''] = text.split('```ts\n').map((part) => part.split('```')[0] ?? '')
    const finding = text.split('```ts\n')[1]?.split('```text\n')[1]?.split('```')[0] ?? ''
    return { id, reported, finding, notReported }
  })
}

/** The first line of an example may say how it is scanned. */
function found(id: string, text: string): Diagnostic[] {
  const ms = (option: string) => {
    const [, number, unit] = new RegExp(`--${option} (\\d+)(ms|s)`).exec(text) ?? []
    return number === undefined ? null : Number(number) * (unit === 's' ? 1000 : 1)
  }
  return scanTexts(text, { budgetMs: ms('budget'), proxyIdleMs: ms('proxy-idle') }).diagnostics.filter(({ rule }) => rule === id)
}

function printed({ severity, rule, message, arithmetic, suggestion }: Diagnostic): string {
  const lines = [`${severity} ${rule}  ${message}`, arithmetic && `  ${arithmetic}`, suggestion && `  fix: ${suggestion.text}`]
  return `${lines.filter(Boolean).join('\n')}\n`
}

describe('the examples of the pages of scan', () => {
  test.each(pages())('$id reports the first code as the page says, and not the second', ({ id, reported, finding, notReported }) => {
    expect(found(id, reported).map(printed)).toEqual([finding])
    expect(found(id, notReported)).toEqual([])
  })

  test('are there for every rule', () => {
    expect(pages().map(({ id }) => id)).toEqual(allScanRules.map(({ id }) => id).toSorted())
  })
})
