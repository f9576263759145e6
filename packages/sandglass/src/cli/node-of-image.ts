/** Longer is no line of a Dockerfile that says where it starts. */
const MAX_LINE = 300
const FROM = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?\s*$/i
const ARG = /^ARG\s+(\w+)=["']?([\w.-]+)["']?\s*$/i
const NODE = /(?:^|\/)node:v?(\d+(?:\.\d+){0,2})(?:[-@]|$)/
const NAMED = /(?:^|\/)node:lts-(\w+)/

/** The version of Node that a Dockerfile starts its last stage from, as `.nvmrc` would say it; null where that is no image of Node. */
export function nodeOfImage(text: string): string | null {
  const args = new Map<string, string>()
  const stages = new Map<string, string>()
  let last: string | null = null
  for (const written of text.split(/\r?\n/)) {
    const line = written.length > MAX_LINE ? '' : written.trim()
    const [, name, value] = ARG.exec(line) ?? []
    if (name !== undefined && value !== undefined && last === null) args.set(name, value)
    const [, from, as] = FROM.exec(line) ?? []
    if (from === undefined) continue
    const image = from.replace(/\$\{?(\w+)(?::-([^}]*))?\}?/g, (_, named: string, other?: string) => args.get(named) ?? other ?? '')
    last = stages.get(image.toLowerCase()) ?? image
    if (as !== undefined) stages.set(as.toLowerCase(), last)
  }
  if (last === null) return null
  const named = NAMED.exec(last)?.[1]
  return NODE.exec(last)?.[1] ?? (named === undefined ? null : `lts/${named}`)
}
