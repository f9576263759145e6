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
    expect(line(`pay() { return this.payments.send('pay', {}) }`)).toEqual(['5 nestjs microservices unknown'])
    expect(line(`pay() { return firstValueFrom(this.payments.send('pay', {}).pipe(this.limited)) }`)).toEqual([
      '5 nestjs microservices unknown',
    ])
  })

  test('events, and a send of anything else, are none', () => {
    expect(line(`tell() { this.payments.emit('paid', {}); this.mailer.send('x') }`)).toEqual([])
  })
})
