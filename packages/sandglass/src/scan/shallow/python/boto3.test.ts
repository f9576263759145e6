import { describe, expect, it } from 'vitest'
import { scanText } from '../parse.fixture.js'

describe('boto3', () => {
  it('ends after 60 s by its own default', async () => {
    const { findings, messages, calls } = await scanText(
      'python',
      `import boto3
from botocore.config import Config
a = boto3.client("s3")
b = boto3.client("s3", config=Config(retries={"max_attempts": 2}))
c = boto3.client("s3", config=Config(read_timeout=5, connect_timeout=1))
d = boto3.Session(profile_name="x").resource("dynamodb")
e = boto3.client("s3", config=shared)
f = boto3.client("s3", **options)
`,
    )
    expect(findings).toEqual(['3 default-bound', '4 default-bound', '6 default-bound'])
    expect(calls).toEqual([
      '3 boto3 60000 silence',
      '4 boto3 60000 silence',
      '5 boto3 5000 silence',
      '6 boto3 60000 silence',
      '7 boto3 unknown',
      '8 boto3 unknown',
    ])
    expect(messages[0]).toContain('boto3/botocore N ends boto3.client: 60 s (read_timeout)')
  })
})
