/** The rows that a SQL text inserts into one table: by column name, strings without their quotes and escapes. */
export function insertedRows(text: string, table: string): readonly ReadonlyMap<string, string>[] {
  const reader: Reader = { text, at: 0 }
  const rows: ReadonlyMap<string, string>[] = []
  let defined: readonly string[] = []
  while (reader.at < text.length && rows.length < MAX_ROWS) {
    skipSpace(reader)
    const word = takeWord(reader)
    if (word === 'create') defined = definedColumns(reader, table) ?? defined
    else if (word === 'insert' || word === 'replace') rows.push(...insertion(reader, table, defined))
    else if (word === '') skipOne(reader)
  }
  return rows
}

interface Reader {
  readonly text: string
  at: number
}

const MAX_ROWS = 20_000
const MAX_COLUMNS = 200

/** Spaces and comments: a statement that is commented out inserts nothing. */
function skipSpace(reader: Reader): void {
  const { text } = reader
  const space = /(?:\s+|--[ \t][^\n]*|--\n|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$))*/y
  space.lastIndex = reader.at
  space.exec(text)
  reader.at = space.lastIndex
}

function takeWord(reader: Reader): string {
  const word = /[A-Za-z_]\w*/y
  word.lastIndex = reader.at
  const found = word.exec(reader.text)
  if (!found) return ''
  reader.at = word.lastIndex
  return found[0].toLowerCase()
}

/** One string or one character: keywords in strings are none. */
function skipOne(reader: Reader): void {
  const char = reader.text[reader.at]
  if (char === "'" || char === '"' || char === '`') takeString(reader)
  else reader.at++
}

/** A string with backslash escapes and doubled quotes. */
function takeString(reader: Reader): string {
  const { text } = reader
  const quote = text[reader.at] ?? ''
  let out = ''
  let at = reader.at + 1
  for (let from = at; ; from = at) {
    while (at < text.length && text[at] !== quote && text[at] !== '\\') at++
    out += text.slice(from, at)
    if (at >= text.length) break
    if (text[at] === '\\') out += escapes[text[at + 1] ?? ''] ?? text[at + 1] ?? ''
    else if (text[at + 1] === quote) out += quote
    else break
    at += 2
  }
  reader.at = Math.min(at + 1, text.length)
  return out
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', '0': '', Z: '' }

/** A name, in quotes of any kind or in none; of `db.table` the last part. */
function takeName(reader: Reader): string {
  let name = ''
  do {
    skipSpace(reader)
    const quote = reader.text[reader.at]
    name = quote === '`' || quote === '"' || quote === '[' ? takeQuotedName(reader) : takeWord(reader)
    skipSpace(reader)
  } while (take(reader, '.'))
  return name.toLowerCase()
}

function takeQuotedName(reader: Reader): string {
  if (reader.text[reader.at] !== '[') return takeString(reader)
  const close = reader.text.indexOf(']', reader.at)
  const name = close < 0 ? '' : reader.text.slice(reader.at + 1, close)
  reader.at = close < 0 ? reader.text.length : close + 1
  return name
}

function take(reader: Reader, char: string): boolean {
  skipSpace(reader)
  if (reader.text[reader.at] !== char) return false
  reader.at++
  return true
}

function insertion(reader: Reader, table: string, defined: readonly string[]): readonly ReadonlyMap<string, string>[] {
  skipSpace(reader)
  const start = reader.at
  if (takeWord(reader) === 'ignore') skipSpace(reader)
  else reader.at = start
  if (takeWord(reader) !== 'into' || takeName(reader) !== table) return []
  const columns = namesInBrackets(reader) ?? defined
  skipSpace(reader)
  if (!/^values?$/.test(takeWord(reader)) || columns.length === 0) return []
  const rows: ReadonlyMap<string, string>[] = []
  do {
    const values = valuesInBrackets(reader)
    if (!values) break
    rows.push(new Map(columns.flatMap((column, index) => (values[index] === undefined ? [] : [[column, values[index]] as const]))))
  } while (take(reader, ',') && rows.length < MAX_ROWS)
  return rows
}

function namesInBrackets(reader: Reader): readonly string[] | null {
  if (!take(reader, '(')) return null
  const names: string[] = []
  do names.push(takeName(reader))
  while (take(reader, ',') && names.length < MAX_COLUMNS)
  take(reader, ')')
  return names
}

/** The columns of `CREATE TABLE`, in their order: what an insertion without names fills. */
function definedColumns(reader: Reader, table: string): readonly string[] | null {
  skipSpace(reader)
  if (takeWord(reader) !== 'table') return null
  const exists = /\s*if\s+not\s+exists/iy
  exists.lastIndex = reader.at
  if (exists.test(reader.text)) reader.at = exists.lastIndex
  if (takeName(reader) !== table || !take(reader, '(')) return null
  const columns: string[] = []
  do {
    skipSpace(reader)
    const isQuoted = /[`"[]/.test(reader.text[reader.at] ?? '')
    const name = takeName(reader)
    if (isQuoted || !/^(primary|unique|key|index|constraint|fulltext)?$/.test(name)) columns.push(name)
    takeValue(reader)
  } while (take(reader, ',') && columns.length < MAX_COLUMNS)
  return columns
}

function valuesInBrackets(reader: Reader): readonly (string | undefined)[] | null {
  if (!take(reader, '(')) return null
  const values: (string | undefined)[] = []
  do values.push(takeValue(reader))
  while (take(reader, ',') && values.length < MAX_COLUMNS)
  take(reader, ')')
  return values
}

/** One value, up to the comma or bracket behind it: its string, else its text; undefined for NULL. */
function takeValue(reader: Reader): string | undefined {
  skipSpace(reader)
  const start = reader.at
  let string: string | undefined
  for (let depth = 0; reader.at < reader.text.length; ) {
    const char = reader.text[reader.at]
    if (depth === 0 && (char === ',' || char === ')' || char === ';')) break
    if (char === "'" || char === '"') {
      const next = takeString(reader)
      string ??= next
    } else {
      depth += char === '(' ? 1 : char === ')' ? -1 : 0
      reader.at++
    }
  }
  const plain = reader.text.slice(start, reader.at).trim()
  return string ?? (/^null$/i.test(plain) ? undefined : plain)
}
