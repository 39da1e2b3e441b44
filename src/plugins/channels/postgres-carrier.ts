// A carrier in tables of PostgreSQL, through the existing pool or database of the application.
import { form, runOnce } from '../../extend.ts'
import { type PostgresClient, resolvePostgresQuery, toStorableKey } from '../stores/index.ts'
import { type ConnectedCarrier, formatPosition, type Position, withCarrierTimeout } from './carrier.ts'
import { buildBatch, toStart } from './kept-events.ts'
import { buildChannelStatements, buildCreateScript } from './postgres-tables.ts'
import { findPostgresWakes } from './postgres-wakes.ts'
import { Wakes } from './wakes.ts'

/** The options of `postgresCarrier`. */
export interface PostgresCarrierOptions {
  /**
   * The prefix of the tables and functions, created if they do not exist; `schema.prefix` for another schema.
   * @default `'edict_'`
   */
  readonly prefix?: string
  /**
   * Whether the carrier creates its tables; `false` if a migration runs `postgresChannelTables`.
   * @default `true`
   */
  readonly create?: boolean
  /**
   * Whether readers hear of new events over a connection of their own, which a pool of `pg` has the settings for; `false`
   * behind PgBouncer in transaction mode.
   * @default `true`
   */
  readonly listen?: boolean
  /**
   * Whether a failover loses no event, as with synchronous replicas. Otherwise every failover is a gap.
   * @default `false`
   */
  readonly durable?: boolean
  /**
   * The pause between two reads in milliseconds, where there is no connection to hear over.
   * @default 200
   */
  readonly poll?: number
  /**
   * The timeout of a statement in milliseconds, including the wait for a connection.
   * @default 1,000
   */
  readonly timeout?: number
}

const PREFIX = /^(?:[a-z_][a-z0-9_]*\.)?[a-z_][a-z0-9_]{0,39}$/
const FIELDS: form.Fields<PostgresCarrierOptions> = {
  prefix: form.custom(
    'at most 40 lower-case letters, digits and _',
    (value) => typeof value === 'string' && PREFIX.test(value),
  ),
  create: form.flag,
  listen: form.flag,
  durable: form.flag,
  poll: form.integerFrom(1),
  timeout: form.integerFrom(1),
}

/** The number of appends between two purges. */
const PURGE_EVERY = 500
/** The longest age: intervals of PostgreSQL end. */
const MAX_AGE = 100 * 365 * 86_400_000

/** Creates a carrier in PostgreSQL, for all processes with the same database and prefix. */
export function postgresCarrier(client: PostgresClient, options: PostgresCarrierOptions = {}): ConnectedCarrier {
  const settings = form.validateSettings('postgresCarrier', options, FIELDS)
  const { prefix = 'edict_', listen = true, durable = false, poll = 200, timeout = 1000 } = settings
  const query = resolvePostgresQuery('postgresCarrier', client)
  const sql = buildChannelStatements(prefix, durable)
  const ensureTables =
    settings.create === false ? () => Promise.resolve() : runOnce(() => query(buildCreateScript(prefix), []))
  const run = <T>(work: (query: RunStatement) => Promise<T>): Promise<T> =>
    withCarrierTimeout('PostgreSQL', timeout, async () => {
      await ensureTables()
      return work(async (text, channel, ...values) => {
        return (await query(text, [await toStorableKey(channel), ...values])) as readonly ChannelRow[]
      })
    })
  const last = (channel: string): Promise<string> =>
    run(async (statement) => {
      const [row = (await statement(sql.open, channel))[0]] = await statement(sql.last, channel)
      return formatPosition(readPosition(row))
    })
  const topic = `${prefix.replace('.', '_')}events`
  const open = listen ? findPostgresWakes(client, topic, toStorableKey) : undefined
  const wakes = new Wakes({ open, last, poll, timeout })
  const purge = createPurge(sql.purge, query)
  return Object.freeze({
    async append(channel, events, { count, age }) {
      if (events.length === 0) return
      const texts = events.map(({ text }) => text)
      const keys = await Promise.all(events.map(async ({ key }) => (key === undefined ? null : toStorableKey(key))))
      await run((statement) =>
        statement(sql.append, channel, texts, keys, count, Math.min(age, MAX_AGE), listen ? topic : null),
      )
      purge()
    },
    read: (channel, after, limit) =>
      run(async (statement) => {
        const { generation, number } = toStart(after)
        const look = () => statement(sql.read, channel, generation, number, limit)
        let rows = await look()
        if (rows.length === 0) {
          await statement(sql.open, channel)
          rows = await look()
        }
        if (rows[0] === undefined) throw new Error('The server changed during the read')
        const end = { generation: Number(rows[0]['last_generation']), number: Number(rows[0]['last_number']) }
        const found = rows.filter((row) => row['generation'] !== null)
        return buildBatch(
          after,
          end,
          found.map((row) => ({ ...readPosition(row), text: String(row['text']) })),
        )
      }),
    last,
    wait: (channel, after, signal) => wakes.wait(channel, after, signal),
    close: async () => wakes.close(),
  } satisfies ConnectedCarrier)
}

type ChannelRow = Readonly<Record<string, unknown>>

/** Runs a statement whose first value is a channel. */
type RunStatement = (text: string, channel: string, ...values: readonly unknown[]) => Promise<readonly ChannelRow[]>

const readPosition = (row: ChannelRow | undefined): Position => ({
  generation: Number(row?.['generation']),
  number: Number(row?.['number']),
})

/** Returns a function that removes what nobody needs any more, each time it has been called often enough. */
function createPurge(
  statements: readonly string[],
  query: (text: string, values: readonly unknown[]) => Promise<unknown>,
): () => void {
  let appends = 0
  const run = async (): Promise<void> => {
    for (const statement of statements) await query(statement, [])
  }
  return () => {
    appends += 1
    if (appends % PURGE_EVERY === 0) run().catch(() => {})
  }
}
