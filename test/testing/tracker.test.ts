// `checkApplication` on a tracker without faults, on real databases: keys of two attributes, times of day, elements that refer
// to others of their kind, labels through a join table, two tenants.
import { application, collectionOf, endpoint, inherit, mediaType, route, security, t, verifier } from 'edict'
import { conditional, etag } from 'edict/conditional'
import {
  type AnyResource,
  computed,
  type Datastore,
  FieldSelector,
  FilteringParams,
  many,
  mapper,
  one,
  resource,
} from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import { expect, it } from 'vitest'
import { openCatalogued } from '../support/engines/clients/catalogued.ts'
import { startMariadb } from '../support/engines/mariadb.ts'
import { startPostgres } from '../support/engines/postgres.ts'
import { startSqlite } from '../support/engines/sqlite.ts'
import { runs } from '../support/runs.ts'

const Label = mediaType('Label', {
  attributes: {
    name: t.string({ required: true }),
    colour: t.string({ required: true, values: ['red', 'green', 'blue'] }),
  },
})

const Ticket = mediaType('Ticket', {
  attributes: {
    project: t.string({ required: true, pattern: /[A-Z]{2,5}/, max: 5 }),
    number: t.integer({ required: true, min: 1, max: 1_000_000 }),
    title: t.string({ required: true, min: 1, max: 100 }),
    effort: t.decimal({ precision: 6, scale: 2, nullable: true, min: '0' }),
    views: t.bigint({ min: 0n, max: 9_000_000_000_000_000n }),
    due: t.date({ nullable: true }),
    at: t.time({ nullable: true }),
    changed_at: t.dateTime({ nullable: true }),
    extra: t.record(t.string({ max: 20 }), { max: 4 }),
    version: t.integer(),
    shout: t.string(),
    get parent() {
      return t.ref(Ticket.view('spine'), { nullable: true })
    },
    get children() {
      return t.array(Ticket.view('spine'))
    },
    labels: t.array(Label),
  },
  views: {
    spine: ['project', 'number', 'title'],
    full: ['project', 'number', 'title', 'effort', 'views', 'due', 'at', 'shout', 'parent', 'children', 'labels'],
  },
})

interface Member {
  readonly tenant: number
}
interface Caller {
  readonly principal: Member
}
const Key = security.bearer<Member>('Key')
const byFields = ['project', 'number', 'title', 'effort', 'views', 'due', 'at', 'changed_at'] as const
const key = { project: inherit, number: inherit }
const written = { effort: inherit, views: inherit, due: inherit, at: inherit, changed_at: inherit, extra: inherit }

const Tickets = endpoint('Tickets', {
  mediaType: Ticket,
  actionDefaults: { security: Key, policies: [etag('version')] },
  actions: {
    index: {
      routing: route.get('/'),
      policies: [etag('body')],
      params: {
        fields: FieldSelector.for(Ticket.view('full')),
        filters: FilteringParams.for(Ticket, {
          ...{ project: {}, number: {}, title: { wildcards: true }, effort: {}, views: {}, due: {}, at: {} },
          ...{ changed_at: {}, 'parent.title': {}, 'labels.name': {}, 'labels.colour': {} },
          labels: { elements: ['any', 'all', 'none'] },
        }),
        order: OrderingParams.for(Ticket, { byFields: [...byFields, 'parent.number'], enforceFor: 'all' }),
        pagination: PaginationParams.for(Ticket, { byFields }),
      },
      responses: { ok: collectionOf(Ticket) },
    },
    show: {
      routing: route.get('/:project-:number'),
      params: { ...key, fields: FieldSelector.for(Ticket.view('full')) },
      responses: { ok: Ticket.view('full'), notFound: true },
    },
    create: {
      routing: route.post('/'),
      payload: { ...key, title: inherit, ...written },
      responses: { created: Ticket },
    },
    change: {
      routing: route.patch('/:project-:number'),
      params: key,
      payload: { title: inherit({ required: false }), ...written },
      responses: { ok: Ticket.view('full'), notFound: true },
    },
    remove: {
      routing: route.delete('/:project-:number'),
      params: key,
      responses: { noContent: true, notFound: true },
    },
  },
})

const TABLES = [
  'create table labels (name varchar(12) primary key, colour varchar(9) not null)',
  `create table tickets (tenant integer not null, project varchar(5) not null, number integer not null,
    title varchar(100) not null, effort numeric(6,2), views bigint not null default 0, due date, at time(6),
    changed_at timestamp(3) null, extra json, version integer not null default 1, parent_project varchar(5),
    parent_number integer, deleted_at timestamp(3) null, primary key (project, number))`,
  `create table ticket_labels (project varchar(5) not null, number integer not null, label varchar(12) not null,
    primary key (project, number, label))`,
  "insert into labels (name, colour) values ('bug', 'red'), ('idea', 'green'), ('chore', 'blue')",
]
/** SQLite knows a column by the name of its type, without the digits. */
const inSqlite = (text: string): string => text.replace(/time\(6\)/, 'time').replace(/timestamp\(3\)/g, 'datetime')

function* rows(): Generator<string> {
  const labels = ['bug', 'idea', 'chore']
  const text = (value: string, isNull: boolean): string => (isNull ? 'null' : `'${value}'`)
  for (let i = 1; i <= 18; i++) {
    const day = text(`2026-01-${10 + i}`, i % 3 === 0)
    const parent = i > 4 ? `'AB', ${i - 4 + Number(i % 3 === 0)}` : 'null, null'
    yield `insert into tickets (tenant, project, number, title, effort, views, due, at, parent_project, parent_number)
      values (${1 + (i % 2)}, 'AB', ${i}, 'T${i % 7}', ${i % 4 === 0 ? 'null' : i / 4}, ${i * 1000}, ${day},
      ${text(`10:${10 + i}:00.5`, i % 5 === 0)}, ${parent})`
    for (const shift of [0, 1])
      if ((i + shift) % 3 !== 0) yield `insert into ticket_labels values ('AB', ${i}, '${labels[(i + shift) % 3]}')`
  }
}

function trackerIn(datastore: Datastore<string>) {
  const labels = resource(datastore, Label, { table: 'labels' })
  const tickets = resource(datastore, Ticket, {
    table: 'tickets',
    version: 'version',
    scope: ({ principal }: Caller) => ({ tenant: principal.tenant, deleted_at: null }),
    attributes: {
      shout: computed(['title'], ({ title = '' }) => title.toUpperCase()),
      parent: one((): AnyResource => tickets, { parent_project: 'project', parent_number: 'number' }),
      children: many(
        (): AnyResource => tickets,
        { project: 'parent_project', number: 'parent_number' },
        { order: ['-number'], limit: 3 },
      ),
      labels: many(
        labels,
        { project: 'project', number: 'number' },
        { through: { table: 'ticket_labels', on: { label: 'name' } } },
      ),
    },
  })
  const controller = Tickets.implement({
    index: async (_, context) => context.reply.ok(await tickets.within(context).list(context.request)),
    async show(at, context) {
      const found = await tickets.within(context).find({ project: at.project, number: at.number }, context.request)
      return found ? context.reply.ok(found) : context.reply.notFound()
    },
    async create(_, context) {
      const { request, reply } = context
      return reply.created(await tickets.within(context).create(request.payload, { shown: request }))
    },
    async change(at, context) {
      const { request, reply } = context
      const changed = await tickets.within(context).update(at, request.payload, { request, shown: request })
      return changed ? reply.ok(changed) : reply.notFound()
    },
    async remove(at, context) {
      const { request, reply } = context
      return (await tickets.within(context).delete(at, { request })) ? reply.noContent() : reply.notFound()
    },
  })
  return application({
    controllers: [controller],
    plugins: [
      mapper({ resources: { labels, tickets } }),
      pagination({ maxItems: 10, defaultPageSize: 5 }),
      conditional(),
    ],
    verifiers: [verifier(Key, (token) => (/^[12]$/.test(token) ? { tenant: Number(token) } : undefined))],
  })
}

const CLIENTS = { sqlite: 'Kysely', postgres: 'pg', mysql: 'mysql2' } as const

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()]))
  need.describe((engine) => {
    it('[TKT-01] a tracker breaks no law', { timeout: 600_000 }, async () => {
      const { dialect } = engine
      const database = await engine.createDatabase()
      const statements = [...TABLES, ...rows()]
      await database.run(...(dialect === 'sqlite' ? statements.map(inSqlite) : statements))
      const opened = await openCatalogued(CLIENTS[dialect], dialect, database.url)
      try {
        const app = trackerIn(opened.datastore)
        await app.start()
        const principals = { one: { authorization: 'Bearer 1' }, two: { authorization: 'Bearer 2' } }
        const { unreached } = await checkApplication(app, { seed: 5, runs: runs(4, 60), principals })
        expect(unreached).toEqual([])
      } finally {
        await opened.end()
        await database.close()
      }
    })
  })
