import { expect, test } from 'vitest'
import { awsFunctions } from './aws-functions.js'
import { memorySystem } from './memory-system.fixture.js'

const SERVERLESS = `
service: pay
provider:
  name: aws
  timeout: 20
functions:
  pay:
    handler: src/handlers/pay.handler
    timeout: 30 # a card takes long
  slow: { handler: ./src/handlers/pay.slow, timeout: 45 }
  list:
    handler: src/handlers/list.handler
  told: { handler: src/handlers/told.handler, timeout: "\${self:custom.timeout}" }
`

const SAM = `
AWSTemplateFormatVersion: '2010-09-09'
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: { Runtime: nodejs20.x, Timeout: 12 }
Resources:
  Table: { Type: AWS::DynamoDB::Table, Properties: { TableName: !Sub '\${AWS::StackName}-a' } }
  Hello:
    Type: AWS::Serverless::Function
    Properties: { CodeUri: hello/, Handler: app.lambdaHandler, Timeout: 7, Role: !GetAtt Role.Arn }
  Whole:
    Type: AWS::Serverless::Function
    Properties:
      Handler: src/whole.handler
`

test('a file that is the handler of a function ends with it, and any other of the service with its longest', () => {
  const { folders } = memorySystem({
    'a/serverless.yml': SERVERLESS,
    'b/template.yaml': SAM,
    'c/serverless.yml': 'provider: { name: aws }\nfunctions:\n  one: { handler: one.handler }\n',
    'd/serverless.yml': 'provider: { name: google }\nfunctions:\n  one: { handler: one.handler, timeout: 5 }\n',
    'e/serverless.yml': 'provider: aws\nfunctions:\n  - of another file\n  - one: { handler: one.handler, timeout: 5 }\n',
    'f/serverless.yml': '\t- no',
    'g/template.yml': 'Resources: { One: { Type: AWS::Serverless::Function, Properties: { Handler: one.handler } } }',
    'h/serverless.yml': 'provider: { name: aws }\nfunctions:\n  scan: { image: { name: scan }, timeout: 300 }\n',
  })
  const { endMsOf, longestMsOf } = awsFunctions(folders)
  const files = [
    'a/src/handlers/pay.ts',
    'a/src/handlers/list.js',
    'a/src/handlers/told.ts',
    'a/src/other.ts',
    'b/hello/app.ts',
    'b/src/whole.ts',
  ]
  expect(files.map(endMsOf)).toEqual([45_000, 20_000, 900_000, null, 7000, 12_000])
  expect(files.map(longestMsOf)).toEqual([900_000, 900_000, 900_000, 900_000, 12_000, 12_000])
  expect(['c', 'd', 'e', 'f', 'g', 'h'].map((each) => endMsOf(`${each}/one.ts`))).toEqual([6000, null, 5000, null, 3000, null])
  expect(['c', 'd', 'e', 'f', 'g', 'h'].map((each) => longestMsOf(`${each}/one.ts`))).toEqual([6000, null, 900_000, null, 3000, 300_000])
})
