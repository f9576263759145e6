import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a timeout counts where an interceptor of this client sets it, not where some other function sets one', () => {
  const scanned = scanTexts(`import axios from 'axios'
const limited = axios.create(), signed = axios.create(), named = axios.create(), soft = axios.create(), hard = axios.create({ timeout: 90 })
limited.interceptors.request.use((config) => { config.timeout = 300; return config })
signed.interceptors.request.use((config) => { config.headers.auth = 'x'; return config })
const limit = (config) => { config.timeout = 400; return config }
named.interceptors.request.use(limit)
soft.interceptors.request.use((config) => { config.timeout ??= 500; return config })
hard.interceptors.request.use((config) => { config.timeout ||= 600; return config })
export function unrelated(options: { timeout: number }) { options.timeout = 5000 }
limited.get('http://a')
signed.get('http://b')
named.get('http://c')
soft.get('http://d')
hard.get('http://e')
axios.get('http://f')`)
  expect(callLines(scanned)).toEqual([
    '10 axios bounded 300 silence',
    '11 axios unbounded',
    '12 axios bounded 400 silence',
    '13 axios unbounded',
    '14 axios bounded 90 silence',
    '15 axios unbounded',
  ])
})

test('an interceptor of the package itself sets the timeout of its own calls', () => {
  const scanned = scanTexts(`import axios from 'axios'
axios.interceptors.request.use((config) => { config.timeout = 300; return config })
axios.get('http://a')
axios.create().get('http://b')`)
  expect(callLines(scanned)).toEqual(['3 axios bounded 300 silence', '4 axios unbounded'])
})

test('defaults of axios count in the package that sets them, and in one version', () => {
  const scanned = scanTexts({
    files: {
      'a/package.json': '{}',
      'a/set.ts': `import axios from 'axios'\naxios.defaults.timeout = 7000`,
      'a/near.ts': `import axios from 'axios'\naxios.get('http://a')\naxios.create().get('http://b')`,
      'a/old/other.ts': `import axios from 'axios'\n\n\naxios.get('http://c')`,
      'b/package.json': '{}',
      'b/far.ts': `import axios from 'axios'\n\n\n\naxios.get('http://d')`,
    },
    versions: { axios: '1.7.2', 'a/old/other.ts axios': '0.27.2' },
  })
  expect(callLines(scanned)).toEqual([
    '2 axios bounded 7000 silence',
    '3 axios bounded 7000 silence',
    '4 axios unbounded',
    '5 axios unbounded',
  ])
})
