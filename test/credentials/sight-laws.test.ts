// The law of attributes that some clients see only: to everybody else they do not exist. Each request of a client is answered as
// by an application whose media types never had what the client does not see.
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Application,
  type Attribute,
  application,
  collectionOf,
  controller,
  endpoint,
  type MediaType,
  mediaType,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { conditional, etag } from '../../src/plugins/conditional/index.ts'
import { drizzleDatastore } from '../../src/plugins/datastores/drizzle/drizzle.ts'
import {
  type Datastore,
  FieldSelector,
  FilteringParams,
  many,
  mapper,
  memoryDatastore,
  one,
  resource,
} from '../../src/plugins/mapper/index.ts'
import { OrderingParams, PaginationParams, pagination } from '../../src/plugins/pagination/index.ts'
import { audience, members, visibility, visibleTo } from '../../src/plugins/visibility/index.ts'
import { askFetch, askSocket } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

interface Somebody {
  readonly in: readonly string[]
}

const AUDIENCES = ['staff', 'board'] as const
const Token = security.bearer<Somebody>('Token')
const audiences = AUDIENCES.map((name) => audience<Somebody>(name))
const NAMES = ['name', 'level', 'wage', 'note', 'team'] as const
const TEAM = ['title', 'budget', 'people'] as const
type Name = (typeof NAMES)[number] | `team.${(typeof TEAM)[number]}`

/** The audiences of each attribute; nothing for everybody. */
type Restrictions = Partial<Record<Name, readonly number[]>>

// Every value is found in answers by itself: none is part of another.
const people = Array.from({ length: 9 }, (_, i) => ({
  id: i + 1,
  name: `person-${(i * 5) % 9}`,
  level: 7000 + ((i * 4) % 3),
  wage: 910000 + ((i * 7) % 9),
  note: i % 3 === 0 ? null : `note-${(i * 2) % 9}`,
  team_id: (i % 3) + 1,
}))
const teams = [1, 2, 3].map((id) => ({ id, title: `team-${4 - id}`, budget: 550000 + ((id * 2) % 3) }))

/** The attributes that a client may know of, some of them restricted; those that are not seen are not declared at all. */
function declared<N extends string>(all: Record<N, () => Attribute>, wrap: (name: N) => Wrap): Record<N, Attribute> {
  const entries = Object.entries(all) as [N, () => Attribute][]
  const made = entries.flatMap(([name, make]) => {
    const attribute = wrap(name)(make)
    return attribute === undefined ? [] : [[name, attribute] as const]
  })
  return Object.fromEntries(made) as Record<N, Attribute>
}

type Wrap = (make: () => Attribute) => Attribute | undefined

interface World {
  readonly app: Application
  /** The names of all columns that were read or ordered by. */
  readonly columns: Set<string>
}

interface Tables {
  readonly datastore: Datastore<any>
  readonly people: any
  readonly teams: any
}

/** The application with a rule for each attribute. */
function world(wrap: (name: Name) => Wrap, given: Tables): World {
  const Team: MediaType = mediaType('Team', {
    attributes: {
      id: t.integer({ required: true }),
      ...declared(
        {
          title: () => t.string({ required: true }),
          budget: () => t.integer({ required: true }),
          people: () => t.array(t.ref((): Attribute => Person)),
        },
        (name) => wrap(`team.${name}`),
      ),
    },
  })
  const Person: MediaType = mediaType('Person', {
    attributes: {
      id: t.integer({ required: true }),
      ...declared(
        {
          name: () => t.string({ required: true }),
          level: () => t.integer(),
          wage: () => t.integer({ required: true }),
          note: () => t.string({ nullable: true, required: true }),
          team: () => t.ref((): Attribute => Team),
        },
        (name) => wrap(name),
      ),
    },
    views: {
      brief: ['id', 'wage', 'name'].filter((name) => name === 'id' || wrap(name as Name)(() => t.string())) as never,
    },
  })
  const columns = new Set<string>()
  const watched: Datastore<any> = {
    ...given.datastore,
    select(query) {
      for (const { column } of query.columns) columns.add(column.name)
      for (const { reference } of query.order) columns.add(reference.column.name)
      return given.datastore.select(query)
    },
  }
  const has = (media: MediaType, name: string): boolean => Object.hasOwn(media.attributes, name)
  const stored: any = resource(watched, Person, {
    table: given.people,
    attributes: { ...(has(Person, 'team') && { team: one(() => storedTeams, { team_id: 'id' } as never) }) } as never,
  })
  const storedTeams: any = resource(watched, Team, {
    table: given.teams,
    attributes: {
      ...(has(Team, 'people') && { people: many(() => stored, { id: 'team_id' } as never) }),
    } as never,
  })
  const params = {
    pagination: PaginationParams.for(Person, { pageSize: 4 }),
    order: OrderingParams.for(Person),
    filters: FilteringParams.for(Person),
    fields: FieldSelector.for(Person),
  }
  const payload = Object.fromEntries(
    Object.entries(Person.attributes).filter(([name]) => name !== 'id' && name !== 'team'),
  )
  const People = endpoint('People', {
    mediaType: Person,
    actionDefaults: { security: Token },
    actions: {
      index: { routing: route.get('/'), params, policies: [etag('body')], responses: { ok: collectionOf(Person) } },
      brief: { routing: route.get('/brief'), responses: { ok: collectionOf(Person.view('brief')) } },
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer(), fields: FieldSelector.for(Person) },
        policies: [etag('id')],
        responses: { ok: Person, notFound: true },
      },
      create: { routing: route.post('/'), payload, responses: { created: Person, unprocessableContent: Person } },
    },
  } as never) as any
  const Teams = endpoint('Teams', {
    mediaType: Team,
    actionDefaults: { security: Token },
    actions: {
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer(), fields: FieldSelector.for(Team) },
        responses: { ok: Team, notFound: true },
      },
    },
  } as never) as any
  const app = application({
    controllers: [
      controller(People, {
        index: (_: any, { request, reply }: any) => stored.list(request).then(reply.ok),
        brief: (_: any, { request, reply }: any) => stored.list(request).then(reply.ok),
        show: async ({ id }: any, { request, reply }: any) => {
          const found = await stored.find(id, request)
          return found === undefined ? reply.notFound() : reply.ok(found)
        },
        // All elements, for every client: the response shows what the client may see.
        create: (_: any, { request, reply }: any) => {
          const made = { ...people[1], team: teams[1], ...request.payload }
          return request.payload.name === 'refused' ? reply.unprocessableContent(made) : reply.created(made)
        },
      } as never),
      controller(Teams, {
        show: async ({ id }: any, { request, reply }: any) => {
          const found = await storedTeams.find(id, request)
          return found === undefined ? reply.notFound() : reply.ok(found)
        },
      } as never),
    ],
    plugins: [
      mapper({ resources: [stored, storedTeams] }),
      pagination(),
      conditional(),
      visibility(audiences.map((one) => members(one, (who) => who.in.includes(one.name)))),
    ],
    verifiers: [verifier(Token, (token) => ({ in: token.split('.') }))],
  })
  return { app, columns }
}

const memory = (): Tables => ({
  people: 'people',
  teams: 'teams',
  datastore: memoryDatastore({
    people: {
      columns: {
        id: { kind: 'integer' },
        name: { kind: 'text' },
        level: { kind: 'integer' },
        wage: { kind: 'integer' },
        note: { kind: 'text', nullable: true },
        team_id: { kind: 'integer' },
      },
      key: ['id'],
      rows: people,
    },
    teams: {
      columns: { id: { kind: 'integer' }, title: { kind: 'text' }, budget: { kind: 'integer' } },
      key: ['id'],
      rows: teams,
    },
  }),
})

async function sqlite(): Promise<Tables> {
  const client = createClient({ url: ':memory:' })
  await client.execute(
    'create table people (id integer primary key, name text not null, level integer not null, wage integer not null, note text, team_id integer not null)',
  )
  await client.execute('create table teams (id integer primary key, title text not null, budget integer not null)')
  for (const row of people)
    await client.execute({ sql: 'insert into people values (?, ?, ?, ?, ?, ?)', args: Object.values(row) })
  for (const row of teams) await client.execute({ sql: 'insert into teams values (?, ?, ?)', args: Object.values(row) })
  return {
    datastore: drizzleDatastore(drizzle(client)),
    people: sqliteTable('people', {
      id: integer('id').primaryKey(),
      name: text('name').notNull(),
      level: integer('level').notNull(),
      wage: integer('wage').notNull(),
      note: text('note'),
      team_id: integer('team_id').notNull(),
    }),
    teams: sqliteTable('teams', {
      id: integer('id').primaryKey(),
      title: text('title').notNull(),
      budget: integer('budget').notNull(),
    }),
  }
}

const ALL: readonly Name[] = [...NAMES, ...TEAM.map((name) => `team.${name}` as const)]

const restrictions: fc.Arbitrary<Restrictions> = fc.dictionary(
  fc.constantFrom(...ALL),
  fc.constantFrom([0], [1], [0, 1]),
  { noNullPrototype: true },
) as never

const somebody = fc.subarray([0, 1])

const field = fc.constantFrom(...ALL, 'id', 'none', 'team', 'team.people', 'team.people.wage')
const values = ['person-3', '7001', '910004', 'note-2', 'team-2', '550001', '*']
const selection = fc.constantFrom(
  'wage',
  'id,name',
  'team{budget}',
  'team{title,people{wage}}',
  'team',
  'team{people}',
  'level,team{id,title}',
  'none',
  'note',
)
const query = fc
  .record(
    {
      order: fc
        .array(fc.tuple(fc.constantFrom('', '-'), field), { minLength: 1, maxLength: 2 })
        .map((terms) => terms.map((one) => one.join('')).join()),
      filters: fc
        .tuple(field, fc.constantFrom('=', '!=', '<', '>='), fc.constantFrom(...values))
        .map((one) => one.join('')),
      fields: selection,
      pagination: fc.oneof(
        field.map((by) => `by=${by},items=3`),
        fc.tuple(field, fc.constantFrom(...values)).map(([by, from]) => `by=${by},from=${from}`),
        fc.constant('page=2,items=2,total_count=true'),
      ),
    },
    { requiredKeys: [] },
  )
  .map((given) => new URLSearchParams(given as Record<string, string>).toString())

const payload = fc
  .dictionary(
    fc.constantFrom('name', 'level', 'wage', 'note', 'none'),
    fc.constantFrom('refused', 'person-9', 5, null),
    {
      noNullPrototype: true,
    },
  )
  .map((given) => JSON.stringify(given))

const requests = fc.oneof(
  { weight: 4, arbitrary: query.map((one) => ({ line: `GET /people?${one}` })) },
  selection.map((fields) => ({ line: `GET /people/2?fields=${fields}` })),
  selection.map((fields) => ({ line: `GET /teams/2?fields=${fields.replace(/^team\{(.*)\}$/, '$1')}` })),
  fc.constantFrom('GET /people/2', 'GET /people/99', 'GET /teams/1', 'GET /people/brief').map((line) => ({ line })),
  payload.map((body) => ({ line: 'POST /people', body })),
)

const shared = ({ status, headers, text: body }: Awaited<ReturnType<typeof askFetch>>) => {
  // A tag by an attribute also tells what its client sees.
  const tag = headers['etag']?.replace(/;~[^;"]*/, '')
  const { date: _, ...rest } = headers
  return { status, headers: { ...rest, ...(tag !== undefined && { etag: tag }) }, body }
}

/** Follows the links of a list as well: they must not lead to what is not seen. */
async function answers(app: Application, asked: { line: string; body?: string }, token: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(asked.body !== undefined && { 'content-type': 'application/json' }),
  }
  const first = await askFetch(app, asked.line, { ...asked, headers })
  const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1]
  return next === undefined ? [shared(first)] : [shared(first), shared(await askFetch(app, `GET ${next}`, { headers }))]
}

const isSeen = (who: readonly number[], audience: readonly number[] | undefined): boolean =>
  audience === undefined || audience.some((one) => who.includes(one))

describe('[AUT-03] an attribute that a client does not see', () => {
  for (const [name, open] of [
    ['memory', async () => memory()],
    ['SQLite', sqlite],
  ] as const)
    it(`does not exist for it, in ${name}`, async () => {
      const tables = await open()
      await fc.assert(
        fc.asyncProperty(
          restrictions,
          somebody,
          fc.array(requests, { minLength: 4, maxLength: 12 }),
          async (rules, who, asked) => {
            const restricted = world(
              (one) => (make) => {
                const to = rules[one]
                return to === undefined
                  ? make()
                  : visibleTo(
                      to.map((i) => audiences[i] as never),
                      make(),
                    )
              },
              tables,
            )
            const plain = world((one) => (make) => (isSeen(who, rules[one]) ? make() : undefined), tables)
            const token = who.map((i) => AUDIENCES[i]).join('.') || 'nobody'
            for (const one of asked) {
              const answered = await answers(restricted.app, one, token)
              expect(answered, `${one.line} ${JSON.stringify(rules)} ${token}`).toEqual(
                await answers(plain.app, one, token),
              )
            }
            for (const column of ['wage', 'note', 'budget', 'title', 'level', 'name'] as const) {
              const owner: Name = column === 'budget' || column === 'title' ? `team.${column}` : column
              if (!isSeen(who, rules[owner])) expect(restricted.columns).not.toContain(column)
            }
          },
        ),
        { numRuns: runs(20, 1000) },
      )
    })

  it('stays away from others in one application, over a socket and through fetch', async () => {
    const { app } = world(
      (one) => (make) => {
        return one === 'wage' ? visibleTo(audiences[0] as never, make()) : make()
      },
      memory(),
    )
    for (const send of [askSocket, askFetch]) {
      for (const [token, sees] of [
        ['staff', true],
        ['nobody', false],
        ['board', false],
        ['board.staff', true],
      ] as const) {
        const headers = { authorization: `Bearer ${token}` }
        for (const line of [
          'GET /people',
          'GET /people/3',
          'GET /people/brief',
          'GET /teams/1?fields=people{wage,id}',
        ]) {
          const { text: body } = await send(app, line, { headers })
          expect(body.includes('91000'), `${line} as ${token}`).toBe(sees)
        }
      }
    }
  })
})
