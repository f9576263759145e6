import { describe, expect, it } from 'vitest'
import { scanText } from '../parse.fixture.js'

describe('httpx', () => {
  it('has a short default, which is not reported; None is', async () => {
    const { calls, findings } = await scanText(
      'python',
      `import httpx
httpx.get("http://x")
httpx.get("http://x", timeout=None)
with httpx.Client() as client:
    client.get("http://x")
    client.get("http://x", timeout=30)
slow = httpx.AsyncClient(timeout=None)
async def f():
    await slow.get("http://x")
    await slow.get("http://x", timeout=2)
fine = httpx.Client(timeout=httpx.Timeout(10.0, connect=60.0))
fine.get("http://x")
never_used_here = httpx.Client(timeout=httpx.Timeout(None))
`,
    )
    expect(calls).toEqual([
      '2 httpx 5000 silence',
      '3 httpx unbounded',
      '5 httpx 5000 silence',
      '6 httpx 30000 silence',
      '9 httpx unbounded',
      '10 httpx 2000 silence',
      '12 httpx 10000 silence',
      '13 httpx unbounded',
    ])
    expect(findings).toEqual(['3 unbounded-call', '7 unbounded-call', '13 unbounded-call'])
  })
})
