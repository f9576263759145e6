import fc from 'fast-check'

/** A random chain as text, and the comments in it. */
export interface RandomChain {
  readonly text: string
  readonly comments: readonly string[]
}

/** Draws from a list of numbers that fast-check shrinks: one text from one array, whatever its length. */
class Dice {
  private at = 0
  private commented = 0
  readonly comments: string[] = []

  constructor(private readonly numbers: readonly number[]) {}

  below(n: number): number {
    const drawn = this.numbers[this.at++ % this.numbers.length] ?? 0
    return (drawn + this.at * 7) % n
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  comment(): string {
    if (!this.chance(25)) return ''
    const comment = `# note ${++this.commented} {it's "quoted", a: b}`
    this.comments.push(comment)
    return `  ${comment}`
  }
}

const DOES = ['read', 'idempotent-write', 'write', 'external-effect', 'manual', 'compensation'] as const
const NONSENSE = ['30s', '1ms', '0.5s', 'none', '90s', '7ms', '2m', 'unknown'] as const

interface Shape {
  readonly mids: number
  readonly leaves: number
  /** How deadlines are handed on: nowhere, everywhere, here and there. */
  readonly deadlines: 'ignore' | 'propagate' | 'mixed'
  readonly eol: '\n' | '\r\n'
}

/** Chains with nonsense limits, in flow and block style, with comments, anchors, aliases and merges. */
export const randomChain: fc.Arbitrary<RandomChain> = fc
  .tuple(
    fc.array(fc.nat({ max: 9999 }), { minLength: 40, maxLength: 160 }),
    fc.record<Shape>({
      mids: fc.integer({ min: 0, max: 4 }),
      leaves: fc.integer({ min: 1, max: 5 }),
      deadlines: fc.constantFrom('ignore', 'propagate', 'mixed'),
      eol: fc.constantFrom('\n', '\n', '\r\n'),
    }),
  )
  .map(([numbers, shape]) => new ChainText(new Dice(numbers), shape).write())

class ChainText {
  private readonly lines: string[] = []
  private readonly reached = new Set<string>()
  private anchors = 0
  /** A flow call that later ones may repeat by alias, or copy by merge. */
  private base: string | null = null

  constructor(
    private readonly dice: Dice,
    private readonly shape: Shape,
  ) {}

  write(): RandomChain {
    const { dice, shape } = this
    this.put('sandglass: 1')
    const defaults = [
      dice.chance(40) ? `network: ${dice.below(12)}ms` : '',
      dice.chance(40) ? `reserve: ${dice.below(25)}ms` : '',
      dice.chance(30) ? `floor: ${dice.below(120)}ms` : '',
    ].filter((field) => field !== '')
    if (defaults.length > 0) this.put(`defaults: { ${defaults.join(', ')} }${dice.comment()}`)
    if (dice.chance(20)) this.put(`check: { limits: { amplification: ${1 + dice.below(12)} } }`)
    this.journeys()
    this.put('services:')
    if (this.reached.has('app.op0') || this.reached.has('app.op1')) this.client()
    for (let i = 0; i < shape.mids; i++) if (this.reached.has(`m${i}`)) this.mid(i)
    for (let i = 0; i < shape.leaves; i++) if (this.reached.has(`l${i}`)) this.leaf(i)
    return { text: this.lines.join(shape.eol) + shape.eol, comments: dice.comments }
  }

  private put(line: string): void {
    this.lines.push(line)
  }

  private journeys(): void {
    const { dice } = this
    this.put('journeys:')
    const count = 1 + dice.below(3)
    for (let i = 0; i < count; i++) {
      const start = dice.chance(60) ? `app.op${dice.below(2)}` : this.shape.mids > 0 ? `m${dice.below(this.shape.mids)}.do` : 'app.op0'
      this.reached.add(start.startsWith('m') ? start.slice(0, 2) : start)
      const rate = dice.chance(40) ? `, rate: ${1 + dice.below(40)}/s` : ''
      this.put(
        `  j${i}: { promise: ${dice.one(['120ms', '180ms', '350ms', '600ms', '1.5s', '3s'])}, starts: ${start}${rate} }${dice.comment()}`,
      )
    }
  }

  private deadline(): string[] {
    const { deadlines } = this.shape
    const propagates = deadlines === 'propagate' || (deadlines === 'mixed' && this.dice.chance(50))
    return propagates ? ['    deadline: propagate'] : []
  }

  private client(): void {
    const { dice } = this
    this.put('  app:')
    this.put(`    kind: ${dice.one(['client', 'client', 'service'])}${dice.comment()}`)
    if (dice.chance(20)) for (const line of this.deadline()) this.put(line)
    this.put('    operations:')
    for (const name of ['op0', 'op1']) if (this.reached.has(`app.${name}`)) this.operation(name, 0, dice.chance(15))
  }

  private mid(i: number): void {
    const { dice } = this
    this.put(`  m${i}:`)
    for (const line of this.deadline()) this.put(line)
    if (dice.chance(40)) this.put(`    concurrency: ${20 + dice.below(200)}`)
    if (dice.chance(30)) this.put(`    instances: ${1 + dice.below(8)}`)
    this.put('    operations:')
    this.operation('do', i + 1, dice.chance(60), dice.chance(8) ? `        limits: { request: ${dice.one(['400ms', '5s', '20s'])} }` : null)
  }

  private operation(name: string, firstMid: number, works: boolean, limits: string | null = null): void {
    const { dice } = this
    this.put(`      ${name}:`)
    this.put(`        does: ${dice.one(DOES)}`)
    if (works) this.put(`        work: { p50: ${1 + dice.below(5)}ms, p99: ${6 + dice.below(20)}ms }${dice.comment()}`)
    if (limits) this.put(limits)
    if (dice.chance(10)) this.put(`        floor: ${dice.below(30)}ms`)
    this.put(`        calls:${dice.comment()}`)
    const steps = 1 + dice.below(3)
    for (let i = 0; i < steps; i++) {
      if (dice.chance(25)) {
        this.put('          - parallel:')
        this.call(firstMid, 14)
        this.call(firstMid, 14)
      } else this.call(firstMid, 10)
    }
  }

  private target(firstMid: number): string {
    const { mids, leaves } = this.shape
    const isMid = firstMid < mids && this.dice.chance(50)
    const service = isMid ? `m${firstMid + this.dice.below(mids - firstMid)}` : `l${this.dice.below(leaves)}`
    this.reached.add(service)
    return isMid ? `${service}.do` : `${service}.get`
  }

  private call(firstMid: number, indent: number): void {
    const { dice } = this
    const space = ' '.repeat(indent)
    // An alias repeats a call of a leaf: whoever makes it, it cannot close a cycle.
    if (this.base !== null && dice.chance(12)) return this.put(`${space}- *${this.base}${dice.comment()}`)
    if (this.base !== null && dice.chance(12))
      return this.put(`${space}- { <<: *${this.base}, to: ${this.target(firstMid)} }${dice.comment()}`)
    const to = this.target(firstMid)
    const fields = this.fields(to)
    const anchor = to.startsWith('l') && dice.chance(20) ? `c${++this.anchors}` : null
    if (anchor) this.base = anchor
    if (anchor || dice.chance(50)) this.flow(space, anchor, [`to: ${to}`, ...fields])
    else this.block(space, [`to: ${to}`, ...fields])
  }

  private flow(space: string, anchor: string | null, fields: readonly string[]): void {
    const { dice } = this
    const mark = anchor ? `&${anchor} ` : ''
    if (dice.chance(70)) return this.put(`${space}- ${mark}{ ${fields.join(', ')} }${dice.comment()}`)
    const last = fields.length - 1
    for (const [i, field] of fields.entries())
      this.put(`${space}${i === 0 ? `- ${mark}{ ` : '    '}${field}${i === last ? '' : ','}${dice.comment()}`)
    this.put(`${space}  }`)
  }

  private block(space: string, fields: readonly string[]): void {
    const { dice } = this
    const shuffled = dice.chance(40) ? [...fields.slice(1), fields[0] ?? ''] : fields
    for (const [i, field] of shuffled.entries()) {
      if (i > 0 && dice.chance(15)) this.put(`${space}  ${dice.comment().trim()}`)
      this.put(`${space}${i === 0 ? '- ' : '  '}${field}${dice.comment()}`)
    }
  }

  private fields(to: string): string[] {
    const { dice } = this
    const isLeaf = to.startsWith('l')
    const fields = [
      dice.chance(60) ? `timeout: ${dice.one(NONSENSE)}` : '',
      dice.chance(30) ? `attempt: ${dice.one(NONSENSE)}` : '',
      dice.chance(40) ? `attempts: ${1 + dice.below(5)}` : '',
      dice.chance(25)
        ? dice.one(['backoff: { base: 10ms, max: 40ms, jitter: full }', 'backoff: [5ms, 20ms]', 'backoff: { base: 100ms }'])
        : '',
      dice.chance(15) ? `retryOn: ${dice.one(['[timeout, 5xx]', '[connect]', '[5xx, connect]', '[timeout]'])}` : '',
      dice.chance(10) ? 'retryBudget: 10%' : '',
      dice.chance(10) ? 'retryStartWithin: 20ms' : '',
      dice.chance(15) ? dice.one(['queue: 200ms', 'queue: { perAttempt: 8ms }', 'queue: none']) : '',
      dice.chance(15) ? `connect: ${dice.one(['5ms', '4s'])}` : '',
      dice.chance(10) ? `silence: ${dice.one(['9ms', '40s'])}` : '',
      dice.chance(15) ? 'optional: true' : '',
      dice.chance(15) ? `share: ${dice.one(['8%', '50%'])}` : '',
      isLeaf && dice.chance(5) ? 'async: true' : '',
      dice.chance(30) ? 'idempotencyKey: true' : '',
      dice.chance(15) ? `network: ${dice.below(15)}ms` : '',
      dice.chance(10) ? `reserve: ${dice.below(20)}ms` : '',
      dice.chance(15) ? `floor: ${dice.one(['20s', '3ms'])}` : '',
      dice.chance(20) ? `basis: ${dice.one(['"because: it # was so"', "'team A''s advice'", 'copied from the old one'])}` : '',
      dice.chance(10) ? `bulkhead: ${5 + dice.below(40)}` : '',
      dice.chance(10) ? `deadline: ${dice.one(['ignore', 'propagate'])}` : '',
    ]
    const written = fields.filter((field) => field !== '')
    // An asynchronous call is not planned: retries and limits of its own are its own business.
    return written.includes('async: true') ? ['async: true'] : written
  }

  private leaf(i: number): void {
    const { dice } = this
    this.put(`  l${i}:`)
    this.put(`    kind: ${dice.one(['service', 'database', 'cache', 'third-party'])}`)
    if (dice.chance(10)) this.put('    deadline: propagate')
    const mean = 1 + dice.below(40)
    const law = dice.one([
      `{ exponential: ${mean}ms, shift: ${dice.below(10)}ms }`,
      `{ p50: ${mean}ms, p99: ${mean * 6}ms }`,
      `{ constant: ${mean}ms }`,
      `{ lognormal: { p50: ${mean}ms, p99: ${mean * 4}ms } }`,
    ])
    const more = [
      dice.chance(30) ? `, errors: ${dice.one(['1%', '0.1%', '20%'])}` : '',
      dice.chance(10) ? ', hangs: 0.5%' : '',
      dice.chance(10) ? `, floor: ${dice.below(20)}ms` : '',
      dice.chance(15) ? `, limits: { statement: ${dice.one(['80ms', '2s'])} }` : '',
    ]
    this.put(`    operations: { get: { does: ${dice.one(DOES)}, latency: ${law}${more.join('')} } }${dice.comment()}`)
  }
}
