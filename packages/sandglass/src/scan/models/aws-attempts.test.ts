import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

test('clients of DynamoDB try once more with the newer core of their SDK', () => {
  const text = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SQSClient } from '@aws-sdk/client-sqs'
new DynamoDBClient({}).send({})
new SQSClient({}).send({})`
  const attemptsAt = (client: string, core?: string) =>
    scanTexts({
      files: { 'code.ts': text },
      versions: { '@aws-sdk/client-dynamodb': client, '@aws-sdk/client-sqs': client, ...(core ? { '@smithy/core': core } : {}) },
    }).diagnostics.map(({ suggestion }) => /(\d) attempts by default/.exec(suggestion?.text ?? '')?.[1])
  expect(attemptsAt('3.1160.0', '3.40.0')).toEqual(['4', '3'])
  expect(attemptsAt('3.1169.0')).toEqual(['4', '3'])
  expect(attemptsAt('3.1160.0', '3.39.0')).toEqual(['3', '3'])
  expect(attemptsAt('3.1058.0', '3.41.0')).toEqual(['3', '3'])
  expect(attemptsAt('3.1160.0')).toEqual([undefined, '3'])
})
