import { describe, expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

describe('names whose value changes', () => {
  test('a name that is counted up or multiplied has no value that is written down', () => {
    const scanned = scanTexts(`import axios from 'axios'
let doubled = 100
doubled *= 2
let counted = 100
counted++
let replaced = 100
replaced = 300
axios.get('/1', { timeout: doubled })
axios.get('/2', { timeout: counted })
axios.get('/3', { timeout: replaced })`)
    expect(callLines(scanned)).toEqual(['8 axios unknown', '9 axios unknown', '10 axios bounded 300 silence'])
  })
})
