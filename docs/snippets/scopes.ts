// The snippets of docs/guide/scopes.md.
import { type ListRequest, memoryDatastore, type Resource } from 'edict/mapper'
import type { KyselyDatastore } from 'edict/mapper/kysely'
import { type Kysely, sql } from 'kysely'
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

import {
  application,
  collectionOf,
  controller,
  endpoint,
  inherit,
  mediaType,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { FieldSelector, FilteringParams, mapper } from 'edict/mapper'
import { PaginationParams, pagination } from 'edict/pagination'

const datastore = memoryDatastore({
  customers: {
    columns: { id: { kind: 'integer' }, name: { kind: 'text' }, tenant_id: { kind: 'integer' } },
    key: ['id'],
    rows: [
      { id: 1, name: 'Ada', tenant_id: 7 },
      { id: 2, name: 'Bob', tenant_id: 8 },
    ],
  },
  invoices: {
    columns: {
      id: { kind: 'integer', generated: true },
      total: { kind: 'integer' },
      customer_id: { kind: 'integer', nullable: true },
      tenant_id: { kind: 'integer' },
      deleted_at: { kind: 'dateTime', nullable: true },
    },
    key: ['id'],
    rows: [
      { id: 1, total: 120, customer_id: 1, tenant_id: 7 },
      { id: 2, total: 80, customer_id: 2, tenant_id: 8 },
      { id: 3, total: 95, customer_id: 1, tenant_id: 7, deleted_at: new Date(0) },
    ],
  },
  tickets: {
    columns: {
      tenant_id: { kind: 'integer' },
      number: { kind: 'integer' },
      title: { kind: 'text' },
      parent_number: { kind: 'integer', nullable: true },
    },
    key: ['tenant_id', 'number'],
    rows: [
      { tenant_id: 7, number: 1, title: 'Locked out' },
      { tenant_id: 8, number: 1, title: 'Refund' },
    ],
  },
})

const Customer = mediaType('Customer', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Invoice = mediaType('Invoice', {
  attributes: { id: t.integer({ required: true }), total: t.integer(), customer: t.ref(Customer, { nullable: true }) },
})

// #region resources
import { one, resource } from 'edict/mapper'

interface Member {
  readonly tenant: number
}
interface Caller {
  readonly principal: Member
}

const customers = resource(datastore, Customer, {
  table: 'customers',
  scope: ({ principal }: Caller) => ({ tenant_id: principal.tenant }),
})
const invoices = resource(datastore, Invoice, {
  table: 'invoices',
  scope: ({ principal }: Caller) => ({ tenant_id: principal.tenant, deleted_at: null }),
  attributes: { customer: one(customers, { customer_id: 'id' }) },
})
// #endregion

const Ticket = mediaType('Ticket', {
  attributes: {
    number: t.integer({ required: true }),
    title: t.string(),
    get parent() {
      return t.ref(Ticket, { nullable: true })
    },
  },
  views: { whole: ['number', 'title', 'parent'] },
})

// #region composite
import type { AnyResource } from 'edict/mapper'

const tickets = resource(datastore, Ticket, {
  table: 'tickets',
  key: ['number'],
  scope: ({ principal }: Caller) => ({ tenant_id: principal.tenant }),
  attributes: { parent: one((): AnyResource => tickets, { tenant_id: 'tenant_id', parent_number: 'number' }) },
})
// #endregion

async function putTickets(caller: Caller): Promise<string> {
  const said: string[] = []
  const console = { log: (one: unknown) => said.push(JSON.stringify(one)) }
  // #region put
  const own = tickets.within(caller)
  console.log(await own.create({ number: 2, title: 'Key', parent: { number: 1 } }, { shown: Ticket.view('whole') }))
  console.log(await own.upsert({ number: 1, title: 'Locked in' }, { shown: Ticket }))
  // #endregion
  return said.join('\n')
}

const Key = security.bearer<Member>('Key')
const Invoices = endpoint('Invoices', {
  mediaType: Invoice,
  actionDefaults: { security: Key },
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Invoice),
        filters: FilteringParams.for(Invoice, { total: {}, 'customer.name': {} }),
        pagination: PaginationParams.for(Invoice),
      },
      responses: { ok: collectionOf(Invoice) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Invoice, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { total: inherit, customer: t.object({ id: t.integer() }) },
      responses: { created: true },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { total: inherit, customer: t.object({ id: t.integer() }) },
      responses: { noContent: true, notFound: true },
    },
  },
})

const billing = controller(Invoices, {
  // #region controller
  index: async (_, context) => context.reply.ok(await invoices.within(context).list(context.request)),
  async show({ id }, context) {
    const invoice = await invoices.within(context).find(id, context.request)
    return invoice ? context.reply.ok(invoice) : context.reply.notFound()
  },
  async create(_, context) {
    const { id } = await invoices.within(context).create(context.request.payload)
    return context.reply.created(undefined, { location: `/invoices/${id}` })
  },
  update: async ({ id }, context) =>
    (await invoices.within(context).update(id, context.request.payload))
      ? context.reply.noContent()
      : context.reply.notFound(),
  // #endregion
})

export const app = application({
  plugins: [mapper({ resources: { customers, invoices } }), pagination({ maxItems: 100 })],
  controllers: [billing],
  verifiers: [verifier(Key, (key) => ({ tenant: Number(key) }))],
})

type Database = Readonly<Record<string, object>>

/** Lists the invoices that policies of PostgreSQL let a member see. */
export function listSecurely(
  {
    db,
    datastore,
    invoices,
  }: {
    readonly db: Kysely<Database>
    readonly datastore: KyselyDatastore<Database>
    readonly invoices: Resource<typeof Invoice.attributes, string, 'id'>
  },
  { principal, request }: Caller & { readonly request: ListRequest },
): Promise<readonly object[]> {
  // #region security
  return db.transaction().execute(async (transaction) => {
    await sql`select set_config('app.tenant', ${String(principal.tenant)}, true)`.execute(transaction)
    return invoices.withDatastore(datastore.withDatabase(transaction)).list(request)
  })
  // #endregion
}

const headers = { Authorization: 'Bearer 7' }

/** The answers that the page shows. */
export const shown: Shown = {
  reads: () =>
    answers(
      app,
      [
        'GET /invoices?fields=id,customer{name}',
        'GET /invoices?filters=customer.name=Bob',
        'GET /invoices/2',
        'GET /invoices/3',
      ].map((line) => [line, { headers }] as const),
    ),
  writes: () =>
    answers(app, [
      ['POST /invoices', { headers, body: { total: 10, customer: { id: 1 } } }],
      ['POST /invoices', { headers, body: { total: 10, customer: { id: 2 } } }],
      ['PATCH /invoices/1', { headers, body: { customer: { id: 2 } } }],
      ['PATCH /invoices/2', { headers, body: { total: 0 } }],
    ]),
  put: () => putTickets({ principal: { tenant: 7 } }),
  forgotten: async () => {
    const error = await (invoices as never as { find(id: number): Promise<unknown> }).find(1).catch((thrown) => thrown)
    return String(error)
  },
}
