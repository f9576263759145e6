import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (method: string, before = '@Injectable()') =>
  scanTexts(`import { ClientProxy } from '@nestjs/microservices'
import { catchError, firstValueFrom, lastValueFrom, map, timeout } from 'rxjs'
${before}
export class Orders { constructor(@Inject('PAYMENTS') private readonly payments: ClientProxy) {}
  ${method} }`)
const line = (method: string, before?: string) => callLines(scan(method, before))

describe('nestjs microservices', () => {
  test('an answer that is waited for ends by a timeout in the pipe, or not at all', () => {
    expect(line(`pay() { return firstValueFrom(this.payments.send('pay', {})) }`)).toEqual(['5 nestjs microservices unbounded'])
    expect(line(`pay() { return firstValueFrom(this.payments.send('pay', {}).pipe(timeout(500))) }`)).toEqual([
      '5 nestjs microservices bounded 500 total',
    ])
    expect(line(`async pay() { return await lastValueFrom(this.payments.send('pay', {}).pipe(map(f), timeout({ first: 700 }))) }`)).toEqual(
      ['5 nestjs microservices bounded 700 total'],
    )
    expect(line(`pay() { return this.payments.send('pay', {}).pipe(map(f)).toPromise() }`)).toEqual(['5 nestjs microservices unbounded'])
    expect(findingLines(scan(`pay() { return firstValueFrom(this.payments.send('pay', {})) }`))).toEqual(['code.ts:5 unbounded-call'])
  })

  test('a controller that returns it waits, a service may be piped by who calls it', () => {
    expect(line(`@Get() pay() { return this.payments.send('pay', {}) }`, `@Controller('orders')`)).toEqual([
      '5 nestjs microservices unbounded',
    ])
    expect(
      line(`pay() { return this.payments.send('pay', {}) }`, `import { Controller as C } from '@nestjs/common'; @C('orders')`),
    ).toEqual(['5 nestjs microservices unbounded'])
    expect(line(`pay() { return this.payments.send('pay', {}) }`)).toEqual(['5 nestjs microservices unknown'])
    expect(line(`pay() { return firstValueFrom(this.payments.send('pay', {}).pipe(this.limited)) }`)).toEqual([
      '5 nestjs microservices unknown',
    ])
  })

  test('events, and a send of anything else, are none', () => {
    expect(line(`tell() { this.payments.emit('paid', {}); this.mailer.send('x') }`)).toEqual([])
  })

  test('a service of gRPC is asked in the same way', () => {
    const scanned = scanTexts(`import { ClientGrpc } from '@nestjs/microservices'
import { firstValueFrom, timeout } from 'rxjs'
export class Users { private users: UsersService
  constructor(@Inject('USERS') private readonly client: ClientGrpc) {}
  onModuleInit() { this.users = this.client.getService<UsersService>('UsersService') }
  find(id: string) { return firstValueFrom(this.users.findOne({ id })) }
  limited(id: string) { return firstValueFrom(this.users.findOne({ id }).pipe(timeout(800))) } }`)
    expect(callLines(scanned)).toEqual(['6 nestjs microservices unbounded', '7 nestjs microservices bounded 800 total'])
  })
})
