import { describe, expect, test } from 'vitest'
import { hasOnlyLocalDatabases } from './local-database.js'

const module = (...required: string[]) =>
  `module shop/orders\n\ngo 1.22\n\nrequire (\n${required.map((path) => `\t${path} v1.2.3\n`).join('')})\n`

describe('databases of a module of Go', () => {
  test.each([
    ['a file', module('github.com/mattn/go-sqlite3', 'github.com/gin-gonic/gin')],
    ['one written in Go', module('modernc.org/sqlite')],
    ['one line', 'module a\n\nrequire github.com/mattn/go-sqlite3 v1.14.22\n'],
  ])('are in its process: %s', (_, text) => expect(hasOnlyLocalDatabases(text)).toBe(true))

  test.each([
    ['a server beside a file', module('github.com/mattn/go-sqlite3', 'github.com/lib/pq')],
    ['another version of a driver', module('github.com/mattn/go-sqlite3', 'github.com/jackc/pgx/v5')],
    ['no driver that is known', module('github.com/gin-gonic/gin')],
    ['an empty file', ''],
  ])('may be elsewhere: %s', (_, text) => expect(hasOnlyLocalDatabases(text)).toBe(false))
})
