// Logs of failed statements: whatever fails, on every engine and through every client, no bound value is written down.
import { inspect } from 'node:util'
import { sql as drizzleSql } from 'drizzle-orm'
import { application, endpoint, route, t } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { consoleLogger } from '../../../src/server/logger.ts'
import { Refusal } from '../../../src/server/problem/refusal.ts'
import { DatabaseError, redactDatabaseError } from '../../../src/util/database-error.ts'
import { type Opened, openDrizzle, World } from '../../support/engines/drizzle.ts'
import { openKysely } from '../../support/engines/kysely.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'

const SECRET = 's3cr3t-9f'

/** Everything that an application logs and answers, in development, when its action does something. */
async function told(work: () => Promise<unknown>): Promise<string> {
  const said: unknown[] = []
  const log = (fields: object, message: string) => said.push(fields, message)
  const Works = endpoint('Works', { actions: { run: { routing: route.post('/'), responses: { ok: t.any() } } } })
  const app = application({
    environment: 'development',
    logger: { info: log, warn: log, error: log },
    controllers: [Works.implement({ run: async (_, { reply }) => reply.ok(await work()) })],
  })
  const answer = await app.fetch(new Request('http://x/works', { method: 'POST' }))
  const shown = { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null, getters: true } as const
  expect(said.length, 'the work fails').toBeGreaterThan(0)
  return inspect(said, shown) + JSON.stringify(said) + (await answer.text())
}

const silent = async (work: () => Promise<unknown>): Promise<void> => expect(await told(work)).not.toContain(SECRET)

for (const need of [await startSqlite(), await startPostgres(), await startMariadb()])
  need.describe((engine) => {
    let opened: Opened
    let world: World
    beforeAll(async () => {
      opened = await openDrizzle(engine)
      world = new World(drizzleDatastore(opened.database), opened.tables)
      await world.insert('people', { name: SECRET })
    })
    afterAll(() => opened.close())

    const run = (text: ReturnType<typeof drizzleSql>) => {
      const database = opened.database as any
      return database.execute ? database.execute(text) : database.run(text)
    }

    test.each<readonly [string, () => Promise<unknown>]>([
      ['a key that exists', () => world.insert('people', { name: SECRET })],
      ['a reference to nothing', () => world.insert('posts', { author: 99, title: SECRET })],
      ['a missing value', () => world.insert('tags', { post: 1, made: SECRET })],
      [
        'a filter',
        () => world.select('people', [{ source: 7, column: world.column('people', 'id') }], secretFilter(world)),
      ],
      ['a statement by hand', () => run(drizzleSql`insert into people (id, name) values (${77}, ${SECRET})`)],
      ['a syntax error by hand', () => run(drizzleSql`select nonsense from nowhere where x = ${SECRET} and and`)],
      [
        'a wrong type by hand',
        () => run(drizzleSql`insert into posts (id, score, day) values (${SECRET}, ${SECRET}, ${SECRET})`),
      ],
      [
        'a cause of another error',
        async () => {
          await run(drizzleSql`insert into people (name) values (${SECRET})`).catch((cause: unknown) => {
            throw new Error('It was not saved', { cause })
          })
        },
      ],
      [
        'a refusal',
        async () => {
          await run(drizzleSql`insert into people (name) values (${SECRET})`).catch((cause: unknown) => {
            throw new Refusal({ code: 'conflict', status: 409, title: 'Conflict' }, { cause })
          })
        },
      ],
    ])('Drizzle: %s', (_, work) => silent(work), 20_000)

    describe('Kysely', () => {
      let kysely: Kysely<any>
      let other: World
      const url = async () => {
        const base = await engine.createDatabase()
        await base.run(
          'create table people (id int primary key, name varchar(20) not null unique)',
          'create table posts (id int primary key, score int, title varchar(5) not null, size int check (size < 5))',
          'create table tags (post int primary key, tag varchar(5))',
        )
        return base.url
      }
      beforeAll(async () => {
        kysely = openKysely<any>(engine.dialect, await url())
        other = new World(await kyselyDatastore(kysely), { people: 'people', posts: 'posts', tags: 'tags' })
        await other.insert('people', { id: 1, name: SECRET })
      })
      afterAll(() => kysely.destroy())

      test.each<readonly [string, () => Promise<unknown>]>([
        ['a key that exists', () => other.insert('people', { id: 2, name: SECRET })],
        ['a broken rule', () => other.insert('posts', { id: 1, title: SECRET.slice(0, 5), size: 7, score: null })],
        ['a missing value', () => other.insert('posts', { id: 1, title: null, score: 1 })],
        [
          'a filter',
          () => other.select('people', [{ source: 7, column: other.column('people', 'id') }], secretFilter(other)),
        ],
        ['a statement by hand', () => sql`insert into people (id, name) values (3, ${SECRET})`.execute(kysely)],
        ['a syntax error by hand', () => sql`select ${SECRET} and and`.execute(kysely)],
        [
          'a statement that is run after the end',
          async () => {
            const closed = openKysely<any>(engine.dialect, await url())
            await closed.destroy()
            await sql`select ${SECRET}`.execute(closed)
          },
        ],
      ])('%s', (_, work) => silent(work), 20_000)
    })
  })

const secretFilter = (world: World) => ({
  filter: { op: '=', reference: world.of('people', 'name'), value: SECRET } as const,
})

it('memory names no key', () => {
  const store = memoryDatastore({ people: { columns: { name: { kind: 'text' } }, key: ['name'] } })
  const table = store.table('people')
  const insert = () => store.insert(table, new Map([[table.columns.get('name')!, SECRET]]))
  return silent(() => insert().then(insert))
})

describe('an error of a database', () => {
  const pg = (code: string, message: string) =>
    Object.assign(new Error(message), { code, severity: 'ERROR', detail: SECRET, where: SECRET, table: 'books' })

  it('keeps its codes and names, and a text that can hold only names', () => {
    expect(redactDatabaseError(pg('42P01', 'relation "books" does not exist'))).toMatchObject({
      message: 'relation "books" does not exist',
      code: '42P01',
      table: 'books',
    })
    expect(redactDatabaseError(pg('22P02', `invalid input syntax for type integer: "${SECRET}"`))).toMatchObject({
      message: 'The database refused a statement',
      code: '22P02',
    })
    expect(redactDatabaseError(pg('P0001', SECRET)).message).toBe('The database refused a statement')
  })

  it('is told from others, which stay as they are', () => {
    const plain = new Error('x', { cause: new TypeError('y') })
    expect(redactDatabaseError(plain)).toBe(plain)
    const database = new DatabaseError(pg('23505', SECRET))
    expect(redactDatabaseError(database)).toBe(database)
    const cyclic: Error = new Error('x')
    cyclic.cause = cyclic
    expect(redactDatabaseError(cyclic)).toBe(cyclic)
    const printed: string[] = []
    const { error } = console
    console.error = (line: string) => printed.push(line)
    consoleLogger.error({ err: redactDatabaseError(new Error('outer', { cause: pg('23505', SECRET) })) }, 'failed')
    console.error = error
    expect(printed.join()).toContain('outer')
    expect(printed.join()).not.toContain(SECRET)
  })
})
