// A store in PostgreSQL, through the existing pool or database of the application.
import { describeValue, form, readProperty, runOnce } from '../../extend.ts'
import { type Store, type StoreTransaction, toStorableKey, withStoreTimeout } from './store.ts'

type StoreRow = Readonly<Record<string, unknown>>

/** Runs a statement with values for `$1`, `$2` and so on, and returns its rows. */
export type PostgresQuery = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>

/** A pool or a client of `pg`, a similar object, or a function that runs a statement. */
export type PostgresClient =
  | { query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }> }
  | PostgresQuery

/** The options of `postgresStore`. */
export interface PostgresStoreOptions {
  /**
   * The table, created if it does not exist; `schema.table` for one in another schema.
   * @default `'edict_store'`
   */
  readonly table?: string
  /**
   * Whether the store creates its table; `false` if a migration runs `postgresTable`.
   * @default `true`
   */
  readonly create?: boolean
  /**
   * The timeout of a statement in milliseconds, including the wait for a connection.
   * @default 1,000
   */
  readonly timeout?: number
}

const TABLE_NAME = /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?$/
const FIELDS: form.Fields<PostgresStoreOptions> = {
  table: form.custom(
    'a name of lower-case letters, digits and _',
    (value) => typeof value === 'string' && TABLE_NAME.test(value),
  ),
  create: form.flag,
  timeout: form.integerFrom(1),
}

/** The number of writes between two purges of expired rows. */
const PURGE_EVERY = 500

/** Returns the SQL that creates the table of a store, for a migration. */
export function postgresTable(table = 'edict_store'): string {
  const index = `${table.replace('.', '_')}_ends`
  return [
    `create table if not exists ${table} (key text primary key, value text, count bigint, ends timestamptz not null)`,
    `create index if not exists ${index.slice(0, 60)} on ${table} (ends)`,
  ].join(';\n')
}

/** Creates a store in PostgreSQL, shared by all processes with the same database and table. */
export function postgresStore(client: PostgresClient, options: PostgresStoreOptions = {}): Store {
  const settings = form.validateSettings('postgresStore', options, FIELDS)
  const { table = 'edict_store', timeout = 1000 } = settings
  const query = resolvePostgresQuery('postgresStore', client)
  const sql = buildStatements(table)
  const ensureTable =
    settings.create === false ? () => Promise.resolve() : runOnce(() => query(buildCreateScript(table), []))
  const run: RunStatement = (text, key, ...values) =>
    withStoreTimeout('PostgreSQL', timeout, async () => {
      await ensureTable()
      return (await query(text, [await key, ...values]))[0] as StoreRow | undefined
    })
  let writes = 0
  const write: RunStatement = async (...statement) => {
    const row = await run(...statement)
    writes += 1
    if (writes % PURGE_EVERY === 0) query(sql.purge, []).catch(() => {})
    return row
  }
  return Object.freeze({
    async count(key, ttl) {
      const row = await write(sql.count, toCounterKey(key), ttl)
      return { count: Number(row?.['count']), left: Math.max(0, Number(row?.['left'])) }
    },
    get: async (key) => getText(await run(sql.get, toValueKey(key))),
    async set(key, value, ttl, expected) {
      const statement = typeof expected === 'string' ? sql.replace : sql[expected === null ? 'add' : 'set']
      const conditions = typeof expected === 'string' ? [expected] : []
      return (await write(statement, toValueKey(key), value, ttl, ...conditions)) !== undefined
    },
    delete: async (key, expected) => (await run(sql.remove, toValueKey(key), expected ?? null))?.['live'] === true,
    within: (connection) =>
      createStoreTransaction(resolvePostgresQuery('postgresStore', connection as PostgresClient), sql, timeout),
  } satisfies Store)
}

/** Runs a statement whose first value is a key, and returns its first row. */
type RunStatement = (text: string, key: Promise<string>, ...values: readonly unknown[]) => Promise<StoreRow | undefined>

const toCounterKey = async (key: string): Promise<string> => `c:${await toStorableKey(key)}`
const toValueKey = async (key: string): Promise<string> => `v:${await toStorableKey(key)}`

const getText = (row: StoreRow | undefined): string | undefined =>
  row === undefined ? undefined : String(row['value'])

// Processes that start at the same time would create the table concurrently, which fails in PostgreSQL even with "if not
// exists".
const buildCreateScript = (table: string): string => `do $make$ begin
perform pg_advisory_xact_lock(hashtext('edict ${table}'));
${postgresTable(table)};
end $make$`

const EXPIRES_AT = `clock_timestamp() + $TTL::float8 * interval '1 millisecond'`

function buildStatements(table: string) {
  const ends = EXPIRES_AT.replace('$TTL', '$3')
  const insert = `insert into ${table} as s (key, value, ends) values ($1, $2, ${ends})
on conflict (key) do update set value = excluded.value, ends = excluded.ends`
  // The start time of the statement, the same for all its parts.
  const isExpired = `s.ends <= excluded.ends - $2::float8 * interval '1 millisecond'`
  return {
    count: `insert into ${table} as s (key, count, ends) values ($1, 1, ${EXPIRES_AT.replace('$TTL', '$2')})
on conflict (key) do update set count = case when ${isExpired} then 1 else s.count + 1 end,
ends = case when ${isExpired} then excluded.ends else s.ends end
returning count, (extract(epoch from ends - clock_timestamp()) * 1000)::float8 as left`,
    get: `select value from ${table} where key = $1 and ends > clock_timestamp()`,
    set: `${insert} returning 1 as done`,
    add: `${insert} where s.ends <= clock_timestamp() returning 1 as done`,
    replace: `update ${table} set value = $2, ends = ${ends}
where key = $1 and value = $4 and ends > clock_timestamp() returning 1 as done`,
    remove: `delete from ${table} where key = $1 and ($2::text is null or value = $2)
returning ends > clock_timestamp() as live`,
    purge: `delete from ${table} where key = any(array(
select key from ${table} where ends <= clock_timestamp() limit 1000 for update skip locked))`,
    lock: `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked`,
  }
}

function createStoreTransaction(
  query: PostgresQuery,
  sql: ReturnType<typeof buildStatements>,
  timeout: number,
): StoreTransaction {
  const run: RunStatement = (text, key, ...values) =>
    withStoreTimeout(
      'PostgreSQL',
      timeout,
      async () => (await query(text, [await key, ...values]))[0] as StoreRow | undefined,
    )
  return {
    lock: async (key) => (await run(sql.lock, toValueKey(key)))?.['locked'] === true,
    get: async (key) => getText(await run(sql.get, toValueKey(key))),
    add: async (key, value, ttl) => (await run(sql.add, toValueKey(key), value, ttl)) !== undefined,
  }
}

/** Returns the function that runs a statement through a client; for anything else, throws a TypeError in the name of `owner`. */
export function resolvePostgresQuery(owner: string, client: PostgresClient): PostgresQuery {
  if (typeof client === 'function') return client
  if (typeof readProperty(client, 'query') === 'function')
    return async (text, values) => (await client.query(text, [...values])).rows
  const remedy = 'give a pool of pg, or a function (text, values) => rows'
  throw new TypeError(`${owner}: the client is ${describeValue(client)}: ${remedy}`)
}
