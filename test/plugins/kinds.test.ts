// A kind of attribute that the package does not have: params, lists, documents, the client and the mock take it as one of theirs.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { attribute, applyOptions as described, type Kind } from 'edict/extend'
import { FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { testClient } from 'edict/testing'
import { expect, it } from 'vitest'
import { duration } from '../../docs/snippets/kinds.ts'
import { ask } from '../support/ask.ts'

const Timer = mediaType('Timer', {
  attributes: { id: t.integer({ required: true }), after: duration(['s', 'm', 'h']) },
})
const rows = [900, 30, 7200, 60, 45].map((after, i) => ({ id: i + 1, after }))
const columns = { id: { kind: 'integer' }, after: { kind: 'integer' } } as const
const timers = resource(memoryDatastore({ timers: { columns, key: ['id'], rows } }), Timer, { table: 'timers' })
const Timers = endpoint('Timers', {
  mediaType: Timer,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        order: OrderingParams.for(Timer),
        filters: FilteringParams.for(Timer),
        pagination: PaginationParams.for(Timer),
      },
      responses: { ok: collectionOf(Timer) },
    },
    create: {
      routing: route.post('/'),
      payload: { after: duration(['s', 'm'], { max: 600 }) },
      responses: { created: Timer },
    },
  },
})
const app = application({
  plugins: [mapper({ resources: { timers } }), pagination()],
  controllers: [
    controller(Timers, {
      index: async (_, { request, reply }) => reply.ok(await timers.list(request)),
      create: (_, { request, reply }) => reply.created({ id: 9, after: request.payload.after ?? 0 }),
    }),
  ],
})

it('is ordered, filtered and walked by its values, not by its texts', async () => {
  const listed = async (query: string) => (await ask(app, `GET /timers?${query}`)).json.map((one: any) => one.after)
  expect(await listed('order=after')).toEqual(['30s', '45s', '60s', '900s', '7200s'])
  expect(await listed('order=-after')).toEqual(['7200s', '900s', '60s', '45s', '30s'])
  expect(await listed(`filters=${encodeURIComponent('after>=1m')}&order=after`)).toEqual(['60s', '900s', '7200s'])
  expect(await listed(`filters=${encodeURIComponent('after=15m')}`)).toEqual(['900s'])
  const wrong = await ask(app, `GET /timers?filters=${encodeURIComponent('after>soon')}`)
  expect(wrong.status).toBe(400)
  const seen: string[] = []
  for (let next: string | undefined = '/timers?pagination=by=after,items=2'; next !== undefined; ) {
    const page = await ask(app, `GET ${next}`)
    seen.push(...page.json.map((one: any) => one.after))
    next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1]
  }
  expect(seen).toEqual(['30s', '45s', '60s', '900s', '7200s'])
})

it('is seconds to controllers and to callers of the client, and its own text between them', async () => {
  const api = testClient(app, { Timers })
  const made = await api.Timers.create({}, { payload: { after: 300 } })
  expect([made.name, made.body]).toEqual(['created', { id: 9, after: 300 }])
  const refused = await ask(app, 'POST /timers', { body: { after: '11m' } })
  expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/after'])
})

it('is described, compared and mocked as it says', async () => {
  const { schemas } = app.openapi().components as unknown as { schemas: Record<string, any> }
  expect(schemas['Timer'].properties.after).toMatchObject({ type: 'string', pattern: '^[0-9]{1,6}[smh]$' })
  expect(JSON.stringify(app.contract())).toContain('[smh]')
  const answer = await ask(mock([Timers] as never, { rows: 3 }), 'GET /timers')
  expect(answer.json.every(({ after }: any) => after === undefined || /^\d+s$/.test(after))).toBe(true)
})

const days = ['2026-01-02', '2026-03-04']
const moments = days.map((day) => new Date(`${day}T05:06:07Z`))

it.each<[scalar: string, values: readonly unknown[]]>([
  ['string', ['ISBN 3-16', 'ISBN 0-13', 'ISBN 9-99']],
  ['number', [1.125, 2.375]],
  ['integer', [40, 80, 120]],
  ['bigint', [70n, 140n]],
  ['decimal', ['7.77', '8.88']],
  ['boolean', [true]],
  ['date', days],
  ['dateTime', moments],
  ['time', ['01:02:03', '04:05:06']],
])('that is like a %s is mocked by its own examples only', async (scalar, values) => {
  const text = (value: unknown): string => `of ${value instanceof Date ? value.toISOString() : String(value)}`
  const kind: Kind<null> = {
    name: `own-${scalar}`,
    scalar,
    // It takes any value of that type, as kinds may; only its examples say what is usual.
    loader: () => (value, loading) =>
      values.find((one) => text(one) === value) ?? loading.fail('type', { expected: 'one of its own' }),
    dumper: () => text,
    jsonSchema: (_, options) => described({ type: 'string' }, options),
    example: (_, __, seed) => values[seed.numberBelow(values.length)],
  }
  const own = (options?: object) => attribute<null, unknown, true>(kind, null, { required: true, ...options })
  const Thing = mediaType('Thing', {
    attributes: { id: t.integer({ required: true }), one: own(), other: own({ example: values[0] }) },
  })
  const Things = endpoint('Things', {
    mediaType: Thing,
    actions: { index: { routing: route.get('/'), responses: { ok: collectionOf(Thing) } } },
  })
  const { json } = await ask(mock([Things] as never, { rows: 12 }), 'GET /things')
  expect(json).toHaveLength(12)
  const seen = json.flatMap(({ one, other }: any) => [one, other])
  expect(seen.filter((one: string) => !values.map(text).includes(one))).toEqual([])
  expect(new Set(seen).size).toBe(values.length)
})

it('is read back from columns of JSON, alone and within structures', async () => {
  const plan = t.object({ first: duration(['s', 'm']), all: t.array(duration(['s'])) })
  const Plan = mediaType('Plan', { attributes: { id: t.integer({ required: true }), plan, one: duration(['s']) } })
  const json = { kind: 'json' } as const
  const tables = {
    plans: { columns: { id: { kind: 'integer' }, plan: json, one: json }, key: ['id'], rows: [] },
  } as const
  const plans = resource(memoryDatastore(tables as never), Plan, { table: 'plans' })
  const value = { id: 1, plan: { first: 90, all: [1, 2] }, one: 7 }
  expect(await plans.create(value, { shown: Plan })).toEqual(value)
  expect(await plans.find(1)).toEqual(value)
})
