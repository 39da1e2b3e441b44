// Tables whose keys begin with the tenant: elements have numbers that are unique for each tenant only, and refer to each other
// by both columns. No attribute shows the tenant.
import { mediaType, t } from 'edict'
import { type AnyResource, type Datastore, many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { clientsOn, enginesHere, openCatalogued } from '../../support/engines/clients/catalogued.ts'

const Note = mediaType('Note', { attributes: { id: t.integer({ required: true }), at: t.integer() } })
const Ticket = mediaType('Ticket', {
  attributes: {
    number: t.integer({ required: true }),
    code: t.string({ nullable: true }),
    title: t.string({ required: true }),
    length: t.integer({ nullable: true }),
    version: t.integer(),
    get parent() {
      return t.ref(Ticket, { nullable: true })
    },
    get children() {
      return t.array(Ticket)
    },
    notes: t.array(Note),
    latest: t.array(Note),
  },
  views: { default: ['number', 'code', 'title'], related: ['number', 'parent', 'children', 'notes', 'latest'] },
})

const related = Ticket.view('related')

interface Caller {
  readonly tenant: number
}

function ticketsIn(datastore: Datastore<string>) {
  const scope = ({ tenant }: Caller) => ({ tenant_id: tenant })
  const notes = resource(datastore, Note, { table: 'notes', scope })
  const on = { tenant_id: 'tenant_id', number: 'ticket_number' }
  const tickets = resource(datastore, Ticket, {
    table: 'tickets',
    key: ['number'],
    version: 'version',
    scope: ({ tenant }: Caller) => ({ tenant_id: tenant, deleted: null }),
    attributes: {
      parent: one((): AnyResource => tickets, { tenant_id: 'tenant_id', parent_number: 'number' }),
      children: many((): AnyResource => tickets, { tenant_id: 'tenant_id', number: 'parent_number' }),
      notes: many(notes, on, { order: ['-at'] }),
      latest: many(notes, on, { order: ['-at'], limit: 2 }),
    },
  })
  // Links between resources are known once a mapper has them.
  mapper({ resources: [notes, tickets] })
  return { notes, tickets }
}

const created = (dialect: DialectName): string[] => {
  const size = { sqlite: 'length(title)', postgres: 'length(title)', mysql: 'char_length(title)' }[dialect]
  return [
    `create table tickets (tenant_id integer not null, number integer not null, code varchar(20), title varchar(50) not null,
      parent_number integer, version integer not null, deleted integer, length integer generated always as (${size}) stored,
      primary key (tenant_id, number), unique (tenant_id, code))`,
    'create table notes (id integer not null primary key, tenant_id integer not null, ticket_number integer not null, at integer)',
    `insert into tickets (tenant_id, number, title, version) values (1, 1, 'ours', 1), (2, 1, 'theirs', 1), (2, 2, 'hidden', 1)`,
    'insert into notes values (1, 1, 1, 5), (2, 1, 1, 7), (3, 1, 1, 7), (4, 1, 1, 7), (5, 2, 1, 9)',
  ]
}

const whole = { kind: 'integer', nullable: false } as const
const maybe = { kind: 'integer', nullable: true } as const
const inMemory = (): Datastore<string> =>
  memoryDatastore({
    tickets: {
      key: ['tenant_id', 'number'],
      unique: [['tenant_id', 'code']],
      columns: {
        tenant_id: whole,
        number: whole,
        code: { kind: 'text', nullable: true },
        title: { kind: 'text', nullable: false },
        parent_number: maybe,
        version: whole,
        deleted: maybe,
        length: maybe,
      },
      rows: [
        { tenant_id: 1, number: 1, title: 'ours', version: 1 },
        { tenant_id: 2, number: 1, title: 'theirs', version: 1 },
        { tenant_id: 2, number: 2, title: 'hidden', version: 1 },
      ],
    },
    notes: {
      key: ['id'],
      columns: { id: whole, tenant_id: whole, ticket_number: whole, at: maybe },
      rows: [5, 7, 7, 7, 9].map((at, i) => ({ id: i + 1, tenant_id: i === 4 ? 2 : 1, ticket_number: 1, at })),
    },
  })

type Library = ReturnType<typeof ticketsIn>

function laws(library: () => Library, isGenerated: boolean): void {
  const [ours, theirs] = [{ tenant: 1 }, { tenant: 2 }]
  const own = () => library().tickets.within(ours)
  const errorsOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'none',
      (error) => error.problem?.errors?.map(({ pointer, code }: never) => `${code} ${pointer}`) ?? error.code ?? error,
    )

  test('[LST-04] a new element needs no link, and a link is made by the number', async () => {
    await own().create({ number: 2, title: 'alone' })
    expect(await own().create({ number: 3, title: 'child', parent: { number: 1 } }, { shown: related })).toMatchObject({
      number: 3,
      parent: { number: 1, title: 'ours' },
    })
    const many = [
      { number: 4, title: 'a' },
      { number: 5, title: 'b', parent: { number: 3 } },
    ]
    expect(await own().createMany(many)).toEqual([{ number: 4 }, { number: 5 }])
    expect(await own().find(1, related)).toMatchObject({ children: [{ number: 3 }] })
  })

  test('[LST-04] a link is changed and taken away, and leads to nothing of another tenant', async () => {
    expect(await own().update(2, { parent: { number: 4 } }, { shown: related })).toMatchObject({
      parent: { number: 4 },
    })
    expect(await own().update(2, { parent: null }, { shown: related })).toMatchObject({ number: 2, parent: null })
    await library().tickets.within(theirs).create({ number: 50, title: 'far' })
    expect(await errorsOf(own().update(2, { parent: { number: 50 } }))).toEqual(['missing-reference /parent/number'])
    expect(await errorsOf(own().create({ number: 9, title: 'x', parent: { number: 50 } }))).toEqual([
      'missing-reference /parent/number',
    ])
    expect(await errorsOf(own().update(2, { parent: {} }))).toEqual(['missing /parent/number'])
  })

  test('[LST-04] [LST-08] an upsert finds elements by what is unique for the tenant', async () => {
    const shown = { shown: Ticket }
    expect(await own().upsert({ number: 1, title: 'changed' }, shown)).toMatchObject({ number: 1, title: 'changed' })
    expect(await own().upsert({ number: 7, title: 'new', code: 'c' }, shown)).toMatchObject({ number: 7, code: 'c' })
    expect(await own().upsert({ number: 2, title: 'second' }, shown)).toMatchObject({ title: 'second' })
    expect(await library().tickets.within(theirs).find(2)).toMatchObject({ title: 'hidden' })
    expect(await library().tickets.within(theirs).find(1)).toMatchObject({ title: 'theirs' })
    expect(await errorsOf(own().upsert({ code: 'c', title: 'by code' }, { by: ['code'] }))).toEqual(['missing /number'])
    const error = await errorsOf(own().upsert({ number: 1, title: 'x' }, { by: ['title'] }))
    expect(String(error)).toMatch(/name the attributes of one of tenant_id and number; tenant_id and code$/)
  })

  test('[LST-05] related lists order what ties by the key, the way of the last field', async () => {
    expect(await own().find(1, related)).toMatchObject({
      notes: [4, 3, 2, 1].map((id) => ({ id })),
      latest: [{ id: 4 }, { id: 3 }],
    })
    const listed = await library()
      .notes.within(ours)
      .list({ order: ['-at'] })
    expect(listed.map(({ id }) => id)).toEqual([4, 3, 2, 1])
  })

  test('[LST-08] what cannot be written is named by its location in the body', async () => {
    const wrong = { number: 10, title: 'x', latest: [] }
    expect(await errorsOf(own().create(wrong as never))).toEqual(['unwritable /latest'])
    expect(await errorsOf(own().create(wrong as never, { shown: Ticket }))).toEqual(['unwritable /latest'])
    expect(await errorsOf(own().createMany([wrong as never]))).toEqual(['unwritable /0/latest'])
    if (!isGenerated) return
    expect(await errorsOf(own().create({ number: 10, title: 'x', length: 5 }))).toEqual(['unwritable /length'])
    expect(await errorsOf(own().update(1, { length: 5 }))).toEqual(['unwritable /length'])
  })
}

describe('memory', () => {
  const library = ticketsIn(inMemory())
  laws(() => library, false)
})

for (const need of await enginesHere())
  need.describe((engine) => {
    for (const client of clientsOn(engine.dialect))
      describe(client, () => {
        let library: Library
        const closing: (() => Promise<void>)[] = []
        beforeAll(async () => {
          const database = await engine.createDatabase()
          await database.run(...created(engine.dialect))
          const opened = await openCatalogued(client, engine.dialect, database.url)
          closing.push(opened.end, database.close)
          library = ticketsIn(opened.datastore)
        }, 60_000)
        afterAll(async () => {
          for (const close of closing) await close()
        })
        laws(() => library, true)
      })
  })
