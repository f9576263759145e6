import { GO } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { type GoCall, goSighting } from './go-call.js'
import { contextLimit, goString } from './go-limit.js'
import { goArguments } from './go-values.js'

const OWNER = String.raw`(?:database\/sql|github\.com\/jmoiron\/sqlx)\.(?:(?:DB|Tx|Stmt|Conn|NamedStmt)\{\?\}|(?:Open|OpenDB|Connect|MustOpen|MustConnect|NewDb)\(\))(?:\.\w+\(\))*`
const CALL = new RegExp(`^${OWNER}\\.(Query|QueryRow|Exec|Queryx|QueryRowx|NamedExec|NamedQuery|MustExec|Get|Select)(Context)?$`)
/** In this process, or not a database at all. */
const LOCAL = /sqlite|duckdb|ramsql|txdb|sqlmock/i

/** Statements of database/sql and sqlx: without a context nothing ends them, and with one the context does. */
export function readGoSql(call: GoCall): Sighting | null {
  const found = CALL.exec(call.path)
  if (!found || isLocal(call)) return null
  const isOfSqlx = call.path.startsWith('github.com')
  const [, method = '', withContext] = found
  if (!isOfSqlx && !/^(Query|QueryRow|Exec)$/.test(method)) return null
  const own: Limit = withContext ? contextLimit(call.file, call.args[0]) : ABSENT
  return goSighting(GO.sql, call, own.state === 'absent' && isLimitedElsewhere(call) ? UNKNOWN_LIMIT : own)
}

function isLocal({ file, makers }: GoCall): boolean {
  const [opened] = makers
  const driver = opened ? goString(file, goArguments(opened)[0]) : null
  return LOCAL.test(driver ?? `${file.path} ${file.tree.nodes[0]?.text}`)
}

/** `readTimeout=5s` in the name of the data source, or a file that speaks of the server's own limit: `SET statement_timeout = …`. */
function isLimitedElsewhere({ file, makers }: GoCall): boolean {
  const [opened] = makers
  const name = opened ? goString(file, goArguments(opened)[1]) : null
  return /readTimeout=/.test(name ?? '') || /statement_timeout|max_execution_time/.test(file.tree.nodes[0]?.text ?? '')
}
