import type { Source } from '../model/sourced.js'

/** Values of variables by name, as `.env` and `env_file` files write them. */
export type Variables = ReadonlyMap<string, string>

const MAX_LINES = 20_000

/** Reads `NAME=value` lines; quotes are taken off, a comment behind an unquoted value too, the last of two values holds. */
export function readEnvironment({ text }: Source): Variables {
  const variables = new Map<string, string>()
  for (const line of text.split('\n', MAX_LINES)) {
    const found = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*[=:]\s*(.*?)\s*$/.exec(line)
    if (!found) continue
    const [, name = '', value = ''] = found
    const quoted = /^(['"])(.*)\1(?:\s+#.*)?$/.exec(value)
    variables.set(name, quoted ? (quoted[2] ?? '') : value.replace(/\s+#.*$/, ''))
  }
  return variables
}

/** Replaces `${NAME}`, `${NAME:-default}`, `${NAME-default}` and `$NAME`; what has neither value nor default stays as it is. */
export function substituted(text: string, variables: Variables): string {
  return text.replace(
    /\$\$|\$\{([A-Za-z_]\w*)(?:(:?)([-?+])([^{}]*))?\}|\$([A-Za-z_]\w*)/g,
    (whole, braced?: string, colon?: string, operator?: string, word?: string, bare?: string) => {
      if (whole === '$$') return '$'
      const value = variables.get(braced ?? bare ?? '')
      const isMissing = value === undefined || (colon === ':' && value === '')
      if (operator === '-') return isMissing ? (word ?? '') : value
      if (operator === '+') return isMissing ? '' : (word ?? '')
      return value ?? whole
    },
  )
}
