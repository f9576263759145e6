import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { serve } from '../../src/serve.js'
import { describeHttpServer, listen } from './http-server-scenarios.js'

describeHttpServer({
  name: 'node:http',
  start(options, handlers) {
    const listener = serve(async (request: IncomingMessage, response: ServerResponse) => {
      for await (const _chunk of request);
      const send = (status: number, body: string): void => {
        response.writeHead(status)
        response.end(body)
      }
      await handlers[request.url ?? '']?.({ request, response, send })
    }, options)
    return listen(createServer(listener))
  },
})
