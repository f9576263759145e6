import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'
import { client } from '@sandglass/runtime/adapters/http-client'
import { HttpError } from '../service/http-error.js'

/** A callee's answer: whether something behind it came from a fallback. */
export interface Reply {
  readonly isDegraded: boolean
}

/** Asks an operation of another service over HTTP; rejects with `HttpError` for a failing status, with the signal's reason when it aborts. `key` names the request; it is sent as idempotency key where the callee honours one. */
export type Ask = (to: string, signal: AbortSignal | undefined, key: string, isRepeatable?: boolean) => Promise<Reply>

/** Where services listen. */
export type Ports = Map<string, number>

type Send = (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ClientRequest

/** Makes requests with kept-alive connections. `carriesBudget`: through the runtime's client, which hands the budget down and ends with it. */
export function createAsk(ports: Ports, carriesBudget: boolean): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' })
  const { request } = client()
  const send: Send = carriesBudget ? (options, onResponse) => request(options, onResponse) : plainRequest
  return (to, signal, key, isRepeatable = false) =>
    new Promise((resolve, reject) => {
      const [service = '', operation = ''] = to.split('.')
      const port = ports.get(service)
      if (port === undefined) return reject(new Error(`nobody knows where ${service} is`))
      if (signal?.aborted === true) return reject(signal.reason as Error)
      const headers = { 'x-lab-request': key, ...(isRepeatable && { 'idempotency-key': key }) }
      const sent = send({ host: '127.0.0.1', port, path: `/${operation}`, method: 'POST', agent, headers }, (response) => {
        response.on('error', fail)
        response.on('end', () => settle(response))
        response.resume()
      })
      const onAbort = (): void => {
        sent.destroy()
        fail(signal?.reason as Error)
      }
      const fail = (error: Error): void => {
        signal?.removeEventListener('abort', onAbort)
        reject(error)
      }
      const settle = (response: IncomingMessage): void => {
        signal?.removeEventListener('abort', onAbort)
        const { statusCode = 0, headers: answered } = response
        if (statusCode >= 200 && statusCode < 300) resolve({ isDegraded: answered['request-degraded'] !== undefined })
        else reject(new HttpError(to, statusCode))
      }
      // The runtime's client listens to the present signal itself.
      if (!carriesBudget) signal?.addEventListener('abort', onAbort)
      sent.on('error', fail)
      sent.end()
    })
}
