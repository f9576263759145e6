/** Drivers of databases that run in the process itself. */
const LOCAL = /(^|\/)(go-sqlite3|sqlite|go-duckdb|go-ramsql|ql|go-sqlcipher)(\/v\d+)?$|^modernc\.org\/sqlite$/
/** Drivers that open a connection, and what brings one of its own. */
const REMOTE =
  /^(github\.com\/(lib\/pq|jackc\/pgx|go-sql-driver\/mysql|microsoft\/go-mssqldb|denisenkom\/go-mssqldb|ClickHouse\/clickhouse-go|sijms\/go-ora|godror\/godror|snowflakedb\/gosnowflake|trinodb\/trino-go-client|tursodatabase\/|go-gorm\/|uptrace\/bun|vertica\/|databricks\/|couchbase\/|prestodb\/|IBM\/go_ibm_db|nakagami\/firebirdsql|ydb-platform\/|googleapis\/go-sql-spanner)|gorm\.io\/driver\/(postgres|mysql|sqlserver|clickhouse))/

const REQUIRED = /^\s*(?:require\s+)?([\w.-]+(?:\/[\w.~-]+)+)\s+v\d/gm

/** True for a `go.mod` whose only drivers of database/sql work on files or in memory. */
export function hasOnlyLocalDatabases(goMod: string): boolean {
  const required = [...goMod.matchAll(REQUIRED)].map(([, path = '']) => path)
  return required.some((path) => LOCAL.test(path)) && !required.some((path) => REMOTE.test(path))
}
