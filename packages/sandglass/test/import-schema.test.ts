import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { importSources } from '../src/importers/import-sources.js'
import { importJson } from '../src/report/import-json.js'

const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../schema/${name}.schema.json`, import.meta.url)), 'utf8')) as object

describe('the JSON of import', () => {
  it('is what its schema says, and its chain is a chain file', () => {
    const ajv = new Ajv2020({ strict: false })
    const golden = (file: string) => readFileSync(fileURLToPath(new URL(`golden/import-folder/${file}`, import.meta.url)), 'utf8')
    const files = ['deploy/compose.yaml', 'deploy/web/nginx.conf', 'order/src/main/resources/application.yml']
    const document = JSON.parse(importJson(importSources(files.map((file) => ({ file, text: golden(file) }))))) as {
      chain: object
      notes: unknown[]
    }
    const [isImport, isChain] = [ajv.compile(schemaOf('import')), ajv.compile(schemaOf('chain'))]
    expect([isImport(document), isImport.errors]).toEqual([true, null])
    expect([isChain(document.chain), isChain.errors]).toEqual([true, null])
    expect(document.notes).toHaveLength(1)
  })
})
