import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

test('the entry of a function that the CDK deploys ends with its timeout', () => {
  const handler = `import axios from 'axios'\nexport const pay = () => axios.get('http://a')`
  const told = (options: string, more: Record<string, string> = {}) => {
    const stack = `import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs'
export class Stack { constructor(all) { new NodejsFunction(this, 'Pay', { entry: path.join(__dirname, '../src/pay.ts'), ${options} }) } }`
    const scanned = scanTexts({ files: { 'bin/stack.ts': stack, 'src/pay.ts': handler, ...more } })
    return scanned.diagnostics.map(({ severity, message }) => `${severity}${/ after at most .*$/.exec(message)?.[0] ?? ''}`)
  }
  expect(told('timeout: cdk.Duration.seconds(30)')).toEqual(['warning after at most 30 s'])
  expect(told('timeout: Duration.minutes(5), ...all')).toEqual(['warning after at most 300 s'])
  expect(told('timeout: Duration.seconds(all.isTest ? 18 : 9)')).toEqual(['warning after at most 18 s'])
  expect(told('timeout: all.timeout')).toEqual(['warning after at most 900 s'])
  expect(told('handler: "pay"')).toEqual(['warning after at most 3 s'])
  expect(told('...all')).toEqual(['warning after at most 900 s'])
  expect(told('handler: "pay"', { 'other/src/pay.ts': 'export const pay = 1' })).toEqual(['error'])
})

test('a program of the CDK, and one that is started by hand, takes a file from no function that uses it', () => {
  const used = `import axios from 'axios'\nexport const CHAINS = [1]\nexport const load = () => axios.get('http://a')`
  const handler = `import { load } from './load'\nexport const handler = () => load()`
  const stack = (from: string) => `import { NodejsFunction } from '${from}'
import { CHAINS } from '../src/load'
for (const chain of CHAINS) new NodejsFunction(null, 'Pay', { entry: '../src/pay.ts', timeout: Duration.seconds(30) })`
  const told = (from: string, more: Readonly<Record<string, string>> = {}) =>
    scanTexts({ files: { 'bin/stack.ts': stack(from), 'src/pay.ts': handler, 'src/load.ts': used, ...more } }).diagnostics.map(
      ({ severity }) => severity,
    )
  expect(told('aws-cdk-lib/aws-lambda-nodejs')).toEqual(['warning'])
  expect(told('./mine')).toEqual(['error'])
  const program = "import { load } from '../src/load'\nimport axios from 'axios'\nload(axios)"
  expect(told('aws-cdk-lib/aws-lambda-nodejs', { 'scripts/load.ts': program })).toEqual(['warning'])
  expect(told('aws-cdk-lib/aws-lambda-nodejs', { 'server/load.ts': program })).toEqual(['error'])
})

test('a schema that nothing uses takes no file from a function either', () => {
  const used = `import axios from 'axios'\nimport { z } from 'zod'\nexport const one = z.object({})\nexport const load = () => axios.get('http://a')`
  const stack = "new NodejsFunction(null, 'Pay', { entry: '../src/pay.ts', timeout: Duration.seconds(30) })"
  const handler = "import { load } from './load'\nexport const handler = () => load()"
  const told = (schema: string) =>
    scanTexts({
      files: {
        'bin/stack.ts': stack,
        'src/pay.ts': handler,
        'src/load.ts': used,
        'src/schema.ts': `import axios from 'axios'\nimport { z } from 'zod'\nimport { one } from './load'\n${schema}`,
      },
    }).diagnostics.map(({ severity }) => severity)
  expect(told('export const all = z.object({ one })')).toEqual(['warning'])
  expect(told('z.register(one)')).toEqual(['error'])
})

test('a function whose code is packed of a folder ends with its timeout, that of what it is spread from as well', () => {
  const handler = `import axios from 'axios'\nexport const handler = () => axios.get('http://a')`
  const stack = (options: string) => `const defaults = { memorySize: 512, timeout: Duration.seconds(300) }
new GuLambdaFunction(this, 'Pay', { ${options} })`
  const told = (options: string) => {
    const files = { 'cdk/stack.ts': stack(options), 'cdk/package.json': '{}', 'pay/package.json': '{}', 'pay/src/late.ts': handler }
    return scanTexts({ files }).diagnostics.map(({ severity, message }) => `${severity}${/ after at most .*$/.exec(message)?.[0] ?? ''}`)
  }
  expect(told("...defaults, fileName: 'pay.zip', handler: name + '.handler'")).toEqual(['warning after at most 300 s'])
  expect(told("...defaults, fileName: `pay.zip`, handler: 'late.handler', timeout: Duration.minutes(2)")).toEqual([
    'warning after at most 120 s',
  ])
  expect(told("fileName: 'pay.zip', handler: 'late.handler'")).toEqual(['warning after at most 900 s'])
  expect(told("...defaults, fileName: 'pay.zip', handler: 'other.handler'")).toEqual(['error'])
  expect(told("...defaults, fileName: 'other.zip', handler: 'late.handler'")).toEqual(['error'])
})
