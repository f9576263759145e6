import { describe, expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

const code = `export const reserve = () => fetch('http://stock:8080/reserve', { signal: AbortSignal.timeout(1500) })
export const charge = () => fetch('http://payments/charge', { signal: AbortSignal.timeout(900) })
`

async function merged(yaml: string, ...args: readonly string[]) {
  const system = memorySystem({ 'chain.yaml': yaml, 'code.ts': code, 'package.json': '{ "name": "@shop/order" }' })
  const exit = await run(['scan', 'code.ts', '--chain', 'chain.yaml', '--operation', 'create', ...args], system)
  const text = system.files.get('chain.yaml') ?? ''
  const { chain, problems } = readChainText(text)
  const calls = chain.calls.map(({ from, to, timeoutMs }) => `${from.id} > ${to.value} ${timeoutMs?.value}`)
  return { exit, text, calls, problems, said: system.said.stderr }
}

const both = ['order.create > stock.request 1500', 'order.create > payments.charge 900']

const FORMS: Readonly<Record<string, string>> = {
  'a block': `sandglass: 1
services:
  order: # ours
    operations:
      create:
        calls:
          - to: bank.pay # kept
            timeout: 1s
      # after
  payments: { operations: { charge: {} } }
  bank: { operations: { pay: {} } }
`,
  'a block less far in': `sandglass: 1
services:
  order:
    operations:
      create:
        calls:
        - { to: bank.pay, timeout: 1s } # kept
  payments: { operations: { charge: {} } }
  bank: { operations: { pay: {} } }
`,
  'a list in brackets': `sandglass: 1
services:
  order: { operations: { create: { does: write, calls: [{ to: bank.pay, timeout: 1s }] } } } # kept
  payments: { operations: { charge: {} } }
  bank: { operations: { pay: {} } }
`,
  'brackets over several lines, with a comma at the end': `sandglass: 1
services:
  order:
    operations:
      create:
        calls: [
          { to: bank.pay, timeout: 1s }, # kept
          ]
  payments: { operations: { charge: {} } }
  bank: { operations: { pay: {} } }
`,
  'lines that end as on Windows': `sandglass: 1\r
services:\r
  order:\r
    operations:\r
      create:\r
        calls:\r
          - to: bank.pay\r
            timeout: 1s # kept\r
  payments: { operations: { charge: {} } }\r
  bank: { operations: { pay: {} } }\r
`,
}

const WITHOUT_CALLS: Readonly<Record<string, string>> = {
  'nothing behind the operation': 'order:\n    operations:\n      create:\n',
  'braces with nothing in them': 'order:\n    operations:\n      create: {}\n',
  'an operation without calls': 'order:\n    operations:\n      create:\n        does: write # kept\n',
  'an operation in braces': 'order:\n    operations:\n      create: { does: write }\n',
  'another operation': 'order:\n    operations:\n      cancel:\n        does: write\n',
  'a service without operations': 'order:\n    concurrency: 20\n',
  'a service in braces': 'order: { concurrency: 20 }\n',
  'a service with nothing behind it': 'order:\n',
}

describe('calls of code in a chain file that is there', () => {
  it.each(Object.entries(FORMS))('go behind those that are there: %s', async (_, yaml) => {
    const { calls, problems, text, exit } = await merged(yaml)
    expect(problems).toEqual([])
    expect(calls).toEqual(['order.create > bank.pay 1000', ...both])
    expect(exit).toBe(0)
    const kept = yaml.split('\n').filter((line) => line.includes('# kept') || line.includes('# ours') || line.includes('# after'))
    for (const comment of kept) expect(text).toContain(comment.slice(comment.indexOf('#')).trimEnd())
    expect(text.includes('\r\n')).toBe(yaml.includes('\r\n'))
    expect(text).toMatch(/# .*origin: code\.ts:2/)
  })

  it.each(Object.entries(WITHOUT_CALLS))('find a place where there are none: %s', async (_, service) => {
    const { calls, problems } = await merged(`sandglass: 1\nservices:\n  payments: { operations: { charge: {} } }\n  ${service}`)
    expect(problems).toEqual([])
    expect(calls).toEqual(both)
  })

  it('are added once: a second run changes nothing', async () => {
    const first = await merged(FORMS['a block'] ?? '')
    const second = await merged(first.text)
    expect(second.text).toBe(first.text)
    expect(second.said).toContain('chain.yaml stays as it is: 0 calls of order.create added, 2 there already')
  })

  it('leave a call that is there as it is, and say what the code has instead', async () => {
    const yaml =
      'sandglass: 1\nservices:\n  order:\n    operations:\n      create:\n        calls:\n          - to: stock.take\n            timeout: 1s\n  stock:\n    operations:\n      take: {}\n'
    const { said, text, calls } = await merged(yaml)
    expect(calls).toEqual(['order.create > stock.take 1000', 'order.create > payments.request 900'])
    expect(text.startsWith(yaml.slice(0, yaml.indexOf('  stock:')))).toBe(true)
    expect(said).toContain(
      'note: chain.yaml:7:13: the call to stock.take stays as it is (timeout 1000 ms); code.ts:1 has timeout 1500 ms\n',
    )
  })

  it('are refused, in one line and with nothing written, where the list is an alias', async () => {
    const yaml =
      'sandglass: 1\nservices:\n  bank: { operations: { pay: { calls: &shared [{ to: bank.x }] }, x: {} } }\n  order: { operations: { create: { calls: *shared } } }\n'
    const { said, text, exit } = await merged(yaml)
    expect(exit).toBe(2)
    expect(text).toBe(yaml)
    expect(said).toBe(
      'chain.yaml: the calls of order.create are written in a form that nothing can be added to; write them as a list of their own\n',
    )
  })

  it('are refused where the file is no chain file, or a name cannot be one', async () => {
    expect(await merged('services: [')).toMatchObject({ exit: 2, text: 'services: [' })
    const bad = await merged(FORMS['a block'] ?? '', '--service', 'a.b')
    expect(bad.said).toBe('sandglass scan: --service "a.b": a service\'s name has 1 to 80 characters, no dot and no space\n')
    expect(bad.exit).toBe(2)
  })
})

describe('a chain file made of code', () => {
  it('is created, and checked like one that was written by hand', async () => {
    const system = memorySystem({
      'src/a.ts':
        "import { Pool } from 'pg'\nconst pool = new Pool({ host: 'orders-db' })\nexport const all = () => pool.query('select 1')\n",
      'src/scripts/load.ts': "await fetch('http://elsewhere')\n",
      'package.json': '{ "name": "@shop/order" }',
    })
    expect(await run(['scan', '--chain', 'sandglass.yaml'], system)).toBe(1)
    expect(system.said.stderr).toContain('note: 1 call in scripts and examples left out of the chain\n')
    expect(system.said.stderr).toContain('wrote sandglass.yaml: 1 call of order.request added\n')
    const text = system.files.get('sandglass.yaml') ?? ''
    expect(text).toContain('# Imported by "sandglass scan --chain" from src/a.ts (pg).')
    expect(text).not.toContain('elsewhere')
    system.said.stdout = ''
    expect(await run(['check', 'sandglass.yaml'], system)).toBe(1)
    expect(system.said.stdout).toContain('error missing-timeout order.request can wait for orders-db.query for ever')
  })

  it('names a folder where there is no package, and needs --chain for the names of service and operation', async () => {
    const system = memorySystem({ 'payments/src/a.ts': "fetch('http://bank/pay')\n", 'payments/b.ts': '' })
    await run(['scan', 'payments', '--chain', 'new.yaml'], system)
    expect(system.said.stderr).toContain('wrote new.yaml: 1 call of payments.request added')
    const alone = memorySystem({ 'a.ts': '' })
    expect(await run(['scan', '--service', 'x'], alone)).toBe(2)
    expect(alone.said.stderr).toBe('sandglass scan: --service goes with --chain <file>\n')
  })
})
