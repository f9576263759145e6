import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const versions = { 'common/http.ts axios': '1.7.2', 'shop/code.ts axios': '0.21.4' }

test('the version of a client is that of the file that makes it, not of the one that calls it', () => {
  const files = {
    'common/http.ts': `import axios from 'axios'\nexport const api = axios.create()\nexport { axios as client }`,
    'shop/code.ts': `import { api, client } from '../common/http'
import axios from 'axios'
await api.get('http://a')
await client.get('http://b')
await client.create().get('http://c')
await axios.get('http://d')`,
  }
  const { diagnostics } = scanTexts({ files, versions })
  expect(diagnostics.map(({ message }) => /axios [\d.]+/.exec(message)?.[0])).toEqual([
    'axios 1.7.2',
    'axios 1.7.2',
    'axios 1.7.2',
    'axios 0.21.4',
  ])
})
