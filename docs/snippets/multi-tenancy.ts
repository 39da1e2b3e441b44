// The snippets of docs/guide/multi-tenancy.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'
import { memoryDatastore } from 'edict/mapper'

const columns = {
  id: { kind: 'integer', generated: true },
  total: { kind: 'integer' },
  tenant_id: { kind: 'integer' },
} as const
const rows = () => [
  { id: 1, total: 120, tenant_id: 7 },
  { id: 2, total: 80, tenant_id: 8 },
]
const shared = () => memoryDatastore({ invoices: { columns, key: ['id'], rows: rows() } })

// #region declaration
import { collectionOf, endpoint, inherit, mediaType, route, security, t } from 'edict'

/** The caller, as the verifier makes it from the credentials. */
interface Member {
  readonly id: string
  readonly tenant: number
}
const Key = security.bearer<Member>('Key')

const Invoice = mediaType('Invoice', {
  attributes: { id: t.integer({ required: true }), total: t.integer({ required: true, min: 0 }) },
})

const Invoices = endpoint('Invoices', {
  mediaType: Invoice,
  actionDefaults: { security: Key },
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Invoice) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Invoice, notFound: true } },
    create: { routing: route.post('/'), payload: { total: inherit }, responses: { created: true } },
  },
})
// #endregion

// #region scope
import { application, controller, verifier } from 'edict'
import { type Datastore, mapper, resource } from 'edict/mapper'

interface Caller {
  readonly principal: Member
}

function tenantsIn(datastore: Datastore<string>) {
  const invoices = resource(datastore, Invoice, {
    table: 'invoices',
    scope: ({ principal }: Caller) => ({ tenant_id: principal.tenant }),
  })
  const billing = controller(Invoices, {
    index: async (_, context) => context.reply.ok(await invoices.within(context).list(context.request)),
    async show({ id }, context) {
      const invoice = await invoices.within(context).find(id)
      return invoice ? context.reply.ok(invoice) : context.reply.notFound()
    },
    async create(_, context) {
      const { id } = await invoices.within(context).create(context.request.payload)
      return context.reply.created(undefined, { location: `/invoices/${id}` })
    },
  })
  return application({ controllers: [billing], plugins: [mapper({ resources: [invoices] })], verifiers })
}
// #endregion

const members: Readonly<Record<string, Member>> = {
  ada: { id: 'ada', tenant: 7 },
  grace: { id: 'grace', tenant: 8 },
}
const verifiers = [verifier(Key, (key) => members[key])]
const app = tenantsIn(shared())

// #region databases
const unscoped = resource(shared(), Invoice, { table: 'invoices' })

function databasesOf(datastoreOf: (tenant: number) => Datastore<string>) {
  const invoicesOf = ({ tenant }: Member) => unscoped.withDatastore(datastoreOf(tenant))
  return controller(Invoices, {
    index: async (_, { request, principal, reply }) => reply.ok(await invoicesOf(principal).list(request)),
    async show({ id }, { principal, reply }) {
      const invoice = await invoicesOf(principal).find(id)
      return invoice ? reply.ok(invoice) : reply.notFound()
    },
    async create(_, { request, principal, reply }) {
      const { id } = await invoicesOf(principal).create(request.payload)
      return reply.created(undefined, { location: `/invoices/${id}` })
    },
  })
}
// #endregion

// #region test
import { checkApplication } from 'edict/testing'

const isolated = () =>
  checkApplication(() => tenantsIn(shared()), {
    principals: { ada: { Authorization: 'Bearer ada' }, grace: { Authorization: 'Bearer grace' } },
    only: ['scopes', 'admission', 'clients'],
  })
// #endregion

const as = (name: string) => ({ headers: { Authorization: `Bearer ${name}` } })

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () =>
    answers(app, [
      ['GET /invoices', as('ada')],
      ['GET /invoices', as('grace')],
      ['GET /invoices/2', as('ada')],
      ['POST /invoices', { ...as('ada'), body: { total: 10, tenant_id: 8 } }],
      'GET /invoices',
    ]),
  test: async () => {
    const { requests } = await isolated()
    return `${requests} requests, no fault`
  },
}
void databasesOf
