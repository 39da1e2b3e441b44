// Stripe's lists in their published form: https://docs.stripe.com/api/pagination and the list of charges.
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { pagination, stripe } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import { describe, expect, it } from 'vitest'
import { ask } from '../../../support/ask.ts'
import { runs } from '../../../support/runs.ts'
import { Book, expectKnown } from './shelf.ts'

const Charge = mediaType('Charge', {
  attributes: {
    id: t.string({ required: true }),
    amount: t.integer({ required: true }),
    created: t.integer({ required: true }),
    customer: t.string({ nullable: true }),
    paid: t.boolean({ required: true }),
    status: t.string({ required: true, values: ['succeeded', 'pending', 'failed'] }),
  },
})
const rows = [
  { id: 'ch_1', amount: 100, created: 1_700_000_000, customer: 'cus_1', paid: true, status: 'succeeded' },
  { id: 'ch_2', amount: 250, created: 1_700_000_100, customer: null, paid: false, status: 'failed' },
  { id: 'ch_3', amount: 250, created: 1_700_000_100, customer: 'cus_2', paid: true, status: 'succeeded' },
  { id: 'ch_4', amount: 900, created: 1_700_000_300, customer: 'cus_1', paid: false, status: 'pending' },
]
const text = { kind: 'text' } as const
const datastore = memoryDatastore({
  charges: {
    key: ['id'],
    columns: {
      id: text,
      amount: { kind: 'integer' },
      created: { kind: 'integer' },
      customer: { ...text, nullable: true },
      paid: { kind: 'boolean' },
      status: text,
    },
    rows,
  },
})
const charges = resource(datastore, Charge, { table: 'charges' })
const chargeList = stripe.with({ pageSize: 10, maxItems: 100 }).for(Charge, {
  order: ['-created'],
  filterBy: { created: {}, amount: {}, customer: { operators: ['='] }, paid: {}, status: { operators: ['='] } },
})
const Charges = endpoint('Charges', {
  actions: { index: { routing: route.get('/'), params: chargeList.params, responses: { ok: chargeList.body } } },
})
const app = application({
  environment: 'test',
  plugins: [mapper({ resources: [charges] }), pagination()],
  controllers: [
    controller(Charges, {
      index: async (_, { request, reply }) => reply.ok(chargeList.answer(request, await charges.list(request))),
    }),
  ],
})

const ids = async (query: string): Promise<readonly string[]> => {
  const { status, json } = await ask(app, `GET /charges?${query}`)
  expect([query, status]).toEqual([query, 200])
  return json.data.map(({ id }: { readonly id: string }) => id)
}

describe('[FOR-08] lists of Stripe', () => {
  it('[FOR-08] have the published members, and nothing else', async () => {
    const { json } = await ask(app, 'GET /charges?limit=1')
    expect(json).toEqual({ object: 'list', url: '/charges', has_more: true, data: [rows[3]] })
    expect((await ask(app, 'GET /charges?limit=4')).json.has_more).toBe(false)
  })

  it('[FOR-08] go on after an element, and back before one', async () => {
    expect(await ids('limit=2')).toEqual(['ch_4', 'ch_3'])
    expect(await ids('limit=2&starting_after=ch_3')).toEqual(['ch_2', 'ch_1'])
    expect(await ids('limit=2&ending_before=ch_2')).toEqual(['ch_4', 'ch_3'])
    expect((await ask(app, 'GET /charges?limit=1&ending_before=ch_2')).json).toMatchObject({ has_more: true })
    expect((await ask(app, 'GET /charges?limit=2&ending_before=ch_2')).json).toMatchObject({ has_more: false })
  })

  it('[FOR-08] are filtered by a value, and by the operators gt, gte, lt and lte', async () => {
    expect(await ids('created=1700000100')).toEqual(['ch_3', 'ch_2'])
    expect(await ids('created[gte]=1700000100')).toEqual(['ch_4', 'ch_3', 'ch_2'])
    expect(await ids('created[gt]=1700000100')).toEqual(['ch_4'])
    expect(await ids('created[lt]=1700000100')).toEqual(['ch_1'])
    expect(await ids('created[lte]=1700000100&created[gt]=1700000000')).toEqual(['ch_3', 'ch_2'])
    expect(await ids('created%5Bgte%5D=1700000100&customer=cus_1')).toEqual(['ch_4'])
    expect(await ids('paid=true&amount[gte]=200')).toEqual(['ch_3'])
    expect(await ids('status=succeeded')).toEqual(['ch_3', 'ch_1'])
    expect(await ids('created[gte]=1700000100&limit=1&starting_after=ch_3')).toEqual(['ch_2'])
  })

  it('[FOR-08] refuse what they do not know by the name of the param', async () => {
    for (const [query, message] of [
      ['created[ge]=1', "The parameter 'created[ge]' is not a known name"],
      ['created[gte]=x', "The parameter 'created[gte]' must be an integer"],
      ['created=x', "The parameter 'created' must be an integer"],
      ['created[gte][lt]=1', "The parameter 'created[gte]' must be an integer"],
      ['created=1&created[gte]=1', "The parameter 'created' is both a value and a structure"],
      ['customer[gte]=a', "The parameter 'customer' must be a string"],
      ['status=lost', "The parameter 'status' must be one of succeeded, pending, failed"],
      ['currency=eur', "The parameter 'currency' is not a known name"],
    ] as const) {
      const { status, json } = await ask(app, `GET /charges?${query}`)
      expect([query, status, json.detail]).toEqual([query, 400, message])
    }
  })

  it('[FOR-08] are read by the client, with filters by operator', async () => {
    const calls = client({ Charges }, { baseUrl: 'http://stripe', fetch: (request) => app.fetch(request) })
    const found: string[] = []
    for await (const { id } of calls.Charges.index.all({ limit: 1, created: { gte: 1_700_000_100 }, paid: false }))
      found.push(id)
    expect(found).toEqual(['ch_4', 'ch_2'])
  })

  it('[FOR-08] are documented as Stripe documents them', async () => {
    const operation = app.openapi().paths['/charges']?.['get'] as never as
      | { readonly parameters: readonly Readonly<Record<string, unknown>>[] }
      | undefined
    expect(operation?.parameters.find(({ name }) => name === 'created')).toMatchObject({
      in: 'query',
      style: 'deepObject',
      explode: true,
      schema: {
        anyOf: [
          { type: 'integer' },
          { type: 'object', properties: { gt: {}, gte: {}, lt: {}, lte: {} }, additionalProperties: false },
        ],
      },
    })
  })

  it('[FOR-08] keep the laws of lists', { timeout: 60_000 }, async () => {
    const { cases, unreached } = await checkApplication(app, { runs: runs(5, 60) })
    expect([unreached, (cases['filters'] ?? 0) > 0]).toEqual([[], true])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(stripe.for(Book, { order: ['-year'], filterBy: { year: {} } }), { limit: 2 })
  })
})
