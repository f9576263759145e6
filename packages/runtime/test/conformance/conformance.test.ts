import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { type ConnectProtocol, readByConnect, readByUsInConnect, writtenByConnect } from './connect-es.js'
import { readByGrpcJs, readByUs, writtenByGrpcJs } from './grpc-js.js'
import { judgeRead, judgeWritten, type Verdict } from './judge.js'

interface ReadCase {
  readonly name: string
  readonly header: string
  readonly value: string | string[] | null
  readonly expect: unknown
}

interface WriteCase {
  readonly name: string
  readonly format: string
  readonly budgetMs: number | 'none'
  readonly expect: unknown
}

interface Row {
  readonly name: string
  readonly input: string
  readonly expected: string
  readonly verdicts: readonly Verdict[]
}

const cases = JSON.parse(readFileSync(new URL('../../../../spec/request-budget.cases.json', import.meta.url), 'utf8')) as {
  read: ReadCase[]
  write: WriteCase[]
}
const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(new URL(`../../../../node_modules/${name}/package.json`, import.meta.url), 'utf8')) as { version: string })
    .version
const reads = (header: string): ReadCase[] => cases.read.filter((one) => one.header === header)
const writes = (format: ConnectProtocol): WriteCase[] => [
  ...cases.write.filter((one) => one.format === format),
  { name: 'negative is expired', format, budgetMs: -5, expect: 'expired' },
]
const NOW_AT = 1_764_374_400_000

afterEach(() => {
  vi.restoreAllMocks()
})

test('what grpc-js and connect-es make of the cases is what docs/conformance.md says, and this package is right', async () => {
  // With the wall clock standing still, what they read and write is exact.
  vi.spyOn(Date, 'now').mockReturnValue(NOW_AT)
  vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
  const grpcReads = await readRows('grpc-timeout', (value) => [
    readByGrpcJs(value, NOW_AT),
    readByConnect('grpc', value),
    readByUs(value),
    readByUsInConnect('grpc', value),
  ])
  const connectReads = await readRows('connect-timeout-ms', (value) => [
    readByConnect('connect', value),
    readByUsInConnect('connect', value),
  ])
  const grpcWrites = await writeRows('grpc', (ms) => [writtenByGrpcJs(ms, NOW_AT), writtenByConnect('grpc', ms)])
  const connectWrites = await writeRows('connect', (ms) => [writtenByConnect('connect', ms)])
  for (const { name, verdicts } of grpcReads) expect([name, verdicts[2]?.is]).toEqual([name, 'right'])
  // What connect-es refuses never comes to an interceptor; all else must be right.
  const inConnect = [...grpcReads, ...connectReads].map(({ name, verdicts }) => [
    name,
    verdicts.at(-1)?.says.startsWith('refuses') === true ? 'refused' : verdicts.at(-1)?.is,
  ])
  expect(inConnect.filter(([, is]) => is === 'wrong')).toEqual([])
  const page = pageOf(grpcReads, connectReads, grpcWrites, connectWrites)
  await expect(page).toMatchFileSnapshot(fileURLToPath(new URL('../../../../docs/conformance.md', import.meta.url)))
}, 60_000)

async function readRows(header: string, ask: (value: string | string[] | undefined) => ReturnType<typeof readByUs>[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, value, expect: expected } of reads(header)) {
    const read = await Promise.all(ask(value ?? undefined))
    rows.push({ name, input: inputOf(value), expected: expectedRead(expected), verdicts: read.map((one) => judgeRead(expected, one)) })
  }
  return rows
}

async function writeRows(format: ConnectProtocol, send: (budgetMs: number) => ReturnType<typeof writtenByGrpcJs>[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, budgetMs, expect: expected } of writes(format)) {
    const written = await Promise.all(send(budgetMs === 'none' ? Infinity : budgetMs))
    rows.push({
      name,
      input: budgetMs === 'none' ? 'none' : `${budgetMs} ms`,
      expected: expectedWritten(expected),
      verdicts: written.map((one) => judgeWritten(expected, one)),
    })
  }
  return rows
}

function inputOf(value: string | string[] | null): string {
  if (value === '') return '(empty)'
  return Array.isArray(value) ? value.map((text) => `\`${text}\``).join(' and ') : `\`${value}\``
}

function expectedRead(expected: unknown): string {
  const { ms, fault } = expected as { ms?: number; fault?: string }
  return fault === undefined ? `${ms} ms` : 'no budget, counted'
}

function expectedWritten(expected: unknown): string {
  return expected === 'expired' ? 'not sent' : expected === 'absent' ? 'sent without a limit' : `\`${(expected as { text: string }).text}\``
}

function pageOf(grpcReads: Row[], connectReads: Row[], grpcWrites: Row[], connectWrites: Row[]): string {
  const grpcJs = `grpc-js ${versionOf('@grpc/grpc-js')}`
  const connectEs = `connect-es ${versionOf('@connectrpc/connect')}`
  return `# How grpc-js and connect-es keep the contract

The cases of [spec/request-budget.cases.json](../spec/request-budget.cases.json) that concern \`grpc-timeout\` and \`connect-timeout-ms\`, put to
${grpcJs} and ${connectEs} as they are: their servers receive the header, their clients are given the budget. "With ours" is the same
server with the adapter of this package (and \`strictTimeouts\` under grpc-js). **Wrong** answers are bold; refusing a request whose header
is malformed is stricter than the contract, which takes the server's own budget instead, and is not called wrong. What connect-es refuses
never comes to an interceptor, so it stays refused with ours.

Written by \`npx vitest run packages/runtime/test/conformance -u\`, and checked by every run of the tests.

${summaryOf(grpcJs, [...grpcReads.map(at(0)), ...grpcWrites.map(at(0))])}
${summaryOf(`${connectEs}, gRPC`, [...grpcReads.map(at(1)), ...grpcWrites.map(at(1))])}
${summaryOf(`${connectEs}, Connect`, [...connectReads.map(at(0)), ...connectWrites.map(at(0))])}

## What a server reads: \`grpc-timeout\`

${tableOf(grpcReads, ['header', 'right', grpcJs, connectEs, 'grpc-js with ours', 'connect-es with ours'])}

## What a server reads: \`connect-timeout-ms\`

${tableOf(connectReads, ['header', 'right', connectEs, 'connect-es with ours'])}

## What a client writes: \`grpc-timeout\`

${tableOf(grpcWrites, ['budget', 'right', grpcJs, connectEs])}

## What a client writes: \`connect-timeout-ms\`

${tableOf(connectWrites, ['budget', 'right', connectEs])}
`
}

function at(index: number): (row: Row) => Verdict | undefined {
  return ({ verdicts }) => verdicts[index]
}

function summaryOf(name: string, verdicts: readonly (Verdict | undefined)[]): string {
  const count = (is: Verdict['is']): number => verdicts.filter((one) => one?.is === is).length
  return `- ${name}: ${count('right')} of ${verdicts.length} right, ${count('wrong')} wrong, ${count('refused')} refused`
}

function tableOf(rows: readonly Row[], heads: readonly string[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const lines = rows.map(({ name, input, expected, verdicts }) =>
    line([name, input, expected, ...verdicts.map(({ is, says }) => (is === 'wrong' ? `**${says}**` : says))]),
  )
  return [line(['case', ...heads]), line(['case', ...heads].map(() => '---')), ...lines].join('\n')
}
