import { describe, expect, it } from 'vitest'
import { scanText } from '../parse.fixture.js'

describe('urllib3', () => {
  it('takes the timeout of the request, else of the pool', async () => {
    const { calls, findings } = await scanText(
      'python',
      `import urllib3
http = urllib3.PoolManager()
http.request("GET", "http://x")
http.request("GET", "http://x", timeout=urllib3.Timeout(connect=1, read=4))
fine = urllib3.PoolManager(timeout=3)
fine.request("GET", "http://x")
`,
    )
    expect(calls).toEqual(['3 urllib3 unbounded', '4 urllib3 4000 silence', '6 urllib3 3000 silence'])
    expect(findings).toEqual(['2 unbounded-call'])
  })
})
