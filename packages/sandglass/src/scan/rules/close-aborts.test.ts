import { describe, expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const found = (text: string) => scanTexts(text).diagnostics.filter(({ rule }) => rule === 'close-aborts')

const handler = (params: string, listening: string) => `import type { Request, Response } from 'express'
import type { FastifyRequest } from 'fastify'
export const handle = async (${params}) => {
  const controller = new AbortController()
  ${listening}
  return fetch('http://stock.internal', { signal: AbortSignal.any([controller.signal, AbortSignal.timeout(500)]) })
}`

describe('close-aborts', () => {
  test.each([
    ['req and res by name', 'req, res', "req.on('close', () => controller.abort())"],
    ['a request of express by type', 'incoming: Request, outgoing: Response', "incoming.once('close', () => { controller.abort() })"],
    ['a listener with a name', 'req, res', "const leave = () => controller.abort(); req.on('close', leave)"],
    ['a bound listener', 'req, res', "req.on('close', controller.abort)"],
    ['the raw request of fastify', 'request: FastifyRequest', "request.raw.on('close', () => controller.abort())"],
    ['the request of koa', 'ctx', "ctx.req.on('close', () => controller.abort())"],
  ])('%s', (_, params, listening) => {
    const [finding, ...others] = found(handler(params, listening))
    expect(others).toEqual([])
    expect(finding?.suggestion?.text).toBe("res.on('close', () => { if (!res.writableFinished) controller.abort() })")
  })

  test.each([
    ['the response that has not been finished', 'req, res', "res.on('close', () => { if (!res.writableFinished) controller.abort() })"],
    ['a condition that is asked before', 'req, res', "req.on('close', () => { if (!res.writableEnded) controller.abort() })"],
    ['another event', 'req, res', "req.on('aborted', () => controller.abort())"],
    ['a listener that aborts nothing', 'req, res', "req.on('close', () => console.log('closed'))"],
    ['a socket', 'socket, head', "socket.on('close', () => controller.abort())"],
    ['a request that a client makes', 'req, done', "req.on('close', () => controller.abort())"],
  ])('%s is not reported', (_, params, listening) => {
    expect(found(handler(params, listening))).toEqual([])
  })

  test.each([
    ['get of a router', `router.get('/a', async (req, res) => { BODY })`, 0],
    ['post of a router', `router.post('/a', async (req, res) => { BODY })`, 1],
    ['a list of methods', `export default handler(async (req, res) => { BODY }, ['GET'])`, 0],
    ['a list with another', `export default handler(async (req, res) => { BODY }, ['GET', 'POST'])`, 1],
    ['GET of a route', `export async function GET(req, res) { BODY }`, 0],
    ['Get of Nest', `class A { @Get('/a') async a(req: Request, res: Response) { BODY } }`, 0],
    ['Post of Nest', `class A { @Post('/a') async a(req: Request, res: Response) { BODY } }`, 1],
  ])('a request without a body is not reported: %s', (_, text, count) => {
    const body = `const c = new AbortController(); req.on('close', () => c.abort()); await fetch('http://a', { signal: c.signal })`
    expect(found(`import type { Request, Response } from 'express'\n${text.replace('BODY', body)}`)).toHaveLength(count)
  })
})
