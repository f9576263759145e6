import { expect, it } from 'vitest'
import { isCommandLine } from './command-line.js'
import { scanText } from './parse.fixture.js'

it('one client in several branches is one finding', async () => {
  const { findings, messages } = await scanText(
    'python',
    `import boto3
def store(own):
    if own:
        s3 = boto3.client("s3", endpoint_url=own)
    else:
        s3 = boto3.client("s3")
    s3.upload_file("a", "b", "c")
def other():
    s3 = boto3.client("s3")
    s3.upload_file("a", "b", "c")
`,
  )
  expect(findings).toEqual(['4 default-bound', '9 default-bound'])
  expect(messages[0]).toContain('; so does one more here;')
})

it('a command line is told once for each library', async () => {
  const text = `import requests, sys
requests.get(sys.argv[1])
requests.post(sys.argv[1])
requests.put(sys.argv[1])
`
  const { findings, messages } = await scanText('python', text)
  expect(findings).toEqual(['2 unbounded-call'])
  expect(messages[0]).toContain('; so do 2 more here;')
  expect(isCommandLine({ file: 'a.py', text })).toBe(true)
})

it.each([
  ['a command of Django', 'from django.core.management.base import BaseCommand', true],
  ['a parser of arguments', 'import argparse', true],
  ['a server with arguments', 'import argparse\nfrom fastapi import FastAPI', false],
  ['neither', 'import requests', false],
])('%s', (_, text, expected) => {
  expect(isCommandLine({ file: 'a.py', text })).toBe(expected)
})

it('a client that only signs addresses asks nobody', async () => {
  const { findings } = await scanText(
    'python',
    `import boto3
sign = boto3.client("s3")
sign.generate_presigned_url("get_object")
both = boto3.client("s3")
both.generate_presigned_url("get_object")
both.upload_file("a", "b", "c")
`,
  )
  expect(findings).toEqual(['4 default-bound'])
})
