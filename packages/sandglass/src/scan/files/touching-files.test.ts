import { expect, test } from 'vitest'
import { allModels } from '../models/all-models.js'
import { projectInput, scanTexts } from '../scan.fixture.js'
import { touchingFiles } from './touching-files.js'

const FILES = {
  'db.ts': `import { Pool } from 'pg'\nexport const pool = new Pool()`,
  'orders.ts': `import { pool } from './db'\nexport const one = () => pool.query('select 1')`,
  'main.ts': `export * from './orders'`,
  'sum.ts': 'export const sum = (a, b) => a + b',
  'uses-sum.ts': `import { sum } from './sum'\nsum(1, 2)`,
  'aws.ts': `const { S3Client } = require('@aws-sdk/client-s3')`,
  'broken.ts': 'const = ;',
}

test('files touch a library by importing it, or from one that does', () => {
  const { sources, resolve } = projectInput({ files: FILES })
  expect([...touchingFiles(sources, resolve, allModels)].sort()).toEqual(['aws.ts', 'db.ts', 'main.ts', 'orders.ts'])
})

test('what touches nothing is still told when it cannot be parsed', () => {
  expect(scanTexts({ files: FILES }).unparsed.map(({ source }) => source.file)).toEqual(['broken.ts'])
})
