/** Whether an answer brings a body that is still to be read, such as a fetch response, an undici response or a Node stream. */
export function hasUnreadBody(value: unknown): boolean {
  try {
    const body = bodyOf(value)
    if (body === undefined) return false
    if ((value as { bodyUsed?: unknown }).bodyUsed === true) return false
    const { getReader, pipe, readableEnded, destroyed } = body
    return typeof getReader === 'function' || (typeof pipe === 'function' && readableEnded !== true && destroyed !== true)
  } catch {
    // What cannot be looked into is no response.
    return false
  }
}

/** Calls `then` when a Node stream is done with; a web stream cannot be watched without reading it. */
export function onBodyEnd(value: unknown, then: () => void): void {
  const body = bodyOf(value)
  if (body !== undefined && typeof body.once === 'function') body.once('close', then)
}

/** Lets go of an answer nobody will read, so that its connection is free again. Never throws. */
export function discardBody(value: unknown): void {
  try {
    const body = bodyOf(value)
    if (body === undefined || (value as { bodyUsed?: unknown }).bodyUsed === true) return
    if (typeof body.cancel === 'function') void Promise.resolve(body.cancel()).catch(() => undefined)
    else body.destroy?.()
  } catch {
    // What a foreign stream throws while it is thrown away is nobody's business.
  }
}

interface Body {
  readonly getReader?: unknown
  readonly pipe?: unknown
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
  once?(event: 'close', listener: () => void): unknown
  cancel?(): unknown
  destroy?(): unknown
}

function bodyOf(value: unknown): Body | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (typeof (value as Body).pipe === 'function') return value as Body
  const { body } = value as { body?: unknown }
  return typeof body === 'object' && body !== null ? (body as Body) : undefined
}
