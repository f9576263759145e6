import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

test('models of a service ask over its connection, not over those of its scripts', () => {
  const scanned = scanTexts({
    files: {
      'scripts/clean.js': `const mongoose = require('mongoose')\nmongoose.connect(process.env.DB)`,
      'src/code.ts': `import mongoose from 'mongoose'
mongoose.connect(process.env.DB, { socketTimeoutMS: 700, waitQueueTimeoutMS: 700, serverSelectionTimeoutMS: 700 })
export const load = () => mongoose.model('User', schema).countDocuments({})`,
    },
    versions: { mongoose: '8.0.0' },
  })
  expect(scanned.calls.map(({ outcome }) => outcome)).toEqual([{ state: 'bounded', ms: 700, kind: 'silence' }])
})
