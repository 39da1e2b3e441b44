// Streams of elements as they are declared: events and other formats, and what happens to an element that breaks its type.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { application, collectionOf, controller, endpoint, events, mediaType, route, t } from '../../src/index.ts'
import { EventParser } from '../../src/util/event-stream/parse-events.ts'
import { ask, mistakesOf, recorder, urlOf } from '../support/ask.ts'
import { runs } from '../support/runs.ts'
import { Journal, Order, type OrderEvent, shop } from './shop.ts'

const parse = (text: string) => new EventParser().parse(text)

describe('events', () => {
  it('[EVT-01] are written by their names, each through its type', async () => {
    const given: OrderEvent[] = [
      { event: 'created', id: '1', data: { id: 1, note: 'a\nb\u2028c', placed: new Date(0) } },
      { event: 'changed', id: '2', data: { id: 1, note: 'not in the view' } as never },
      { event: 'gone', data: { id: 1, secret: 'not declared' } as never },
    ]
    const app = shop(new Journal(), { environment: 'production', watch: (_, { reply }) => reply.ok(given) })
    const { status, headers, text } = await ask(app, 'GET /orders/events')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    expect(text.startsWith('retry: 20\n\n')).toBe(true)
    expect(parse(text).map(({ event, id, data }) => [event, id, JSON.parse(data)])).toEqual([
      ['created', '1', { id: 1, note: 'a\nb\u2028c', placed: '1970-01-01T00:00:00.000Z' }],
      ['changed', '2', { id: 1 }],
      ['gone', '2', { id: 1 }],
    ])
  })

  it('[EVT-01] any values of their types arrive as they were given', async () => {
    const anyId = fc.option(fc.stringMatching(/^[^\0\r\n]{1,20}$/), { nil: undefined })
    const anyOrder = fc.record({ id: fc.integer({ min: 1, max: 2 ** 31 }), note: fc.string({ unit: 'binary' }) })
    const anyEvent = fc.oneof(
      fc.record({ event: fc.constant('created' as const), id: anyId, data: anyOrder }),
      fc.record({ event: fc.constant('gone' as const), id: anyId, data: fc.record({ id: fc.integer() }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 20 }), async (given) => {
        const defined = given.map(({ id, ...rest }) => (id === undefined ? rest : { ...rest, id }))
        async function* follow() {
          yield* defined as OrderEvent[]
        }
        const app = shop(new Journal(), { environment: 'production', watch: (_, { reply }) => reply.ok(follow()) })
        const text = await (await app.fetch(new Request('http://shop.test/orders/events'))).text()
        let last = ''
        expect(parse(text).map(({ event, id, data }) => ({ event, id, data: JSON.parse(data) }))).toEqual(
          given.map(({ event, id, data }) => {
            last = id ?? last
            // A lone surrogate has no UTF-8: JSON escapes it.
            return { event, id: last, data: JSON.parse(JSON.stringify(data)) }
          }),
        )
      }),
      { numRuns: runs(30, 1000) },
    )
  })

  it('[EVT-01] one that breaks its type is reported, and ends the stream with an event that clients go on behind', async () => {
    const journal = new Journal()
    journal.create(1)
    journal.append({ event: 'created', data: { id: 'two' as never } })
    journal.create(3)
    for (const environment of ['development', 'production'] as const) {
      const logger = recorder()
      const app = shop(journal, { environment, logger })
      const response = await fetch(`${await urlOf(app)}/orders/events`)
      const found = parse(await response.text())
      expect(found.map(({ event, id }) => [event, id])).toEqual([
        ['created', '1'],
        ['error', '2'],
      ])
      const failure = JSON.parse(found[1]?.data ?? '')
      expect(failure).toMatchObject({ status: 500, code: 'internal' })
      expect(JSON.stringify(failure).includes('integer')).toBe(environment === 'development')
      expect(logger.entries.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
        expect.stringContaining('/1/data/id must be an integer'),
      ])
    }
    expect(journal.opened).toBe(2)
    expect(journal.closed).toBe(2)
  })

  it('[EVT-01] one without data breaks its type, whatever is checked of bodies', async () => {
    for (const validateResponses of ['always', 'sample', 'off'] as const)
      for (const broken of [{}, { data: undefined }, { data: null }, { data: () => 1 }]) {
        const logger = recorder()
        const given = [
          { event: 'gone', id: '1', data: { id: 1 } },
          { event: 'gone', id: '2', ...broken },
          { event: 'gone', id: '3', data: { id: 3 } },
        ]
        const watch: NonNullable<Parameters<typeof shop>[1]>['watch'] = (_, { reply }) => reply.ok(given as never)
        const app = shop(new Journal(), { logger, environment: 'production', validateResponses, watch })
        const text = await (await app.fetch(new Request('http://shop.test/orders/events'))).text()
        expect(parse(text).map(({ event, id }) => [event, id])).toEqual([
          ['gone', '1'],
          ['error', '2'],
        ])
        expect(text).not.toContain('undefined')
        const errors = logger.entries.filter(({ level }) => level === 'error').map(({ message }) => message)
        expect(errors).toEqual([expect.stringContaining('/1/data')])
      }
  })

  it('[EVT-01] one whose type may be null has null', async () => {
    const Ticks = endpoint('Ticks', {
      actions: {
        watch: { routing: route.get('/'), responses: { ok: events({ tick: t.integer({ nullable: true }) }) } },
      },
    })
    const given = [{ event: 'tick', data: null }] as const
    for (const validateResponses of ['always', 'off'] as const) {
      const controllers = [controller(Ticks, { watch: (_, { reply }) => reply.ok(given) })]
      const { text } = await ask(application({ controllers, validateResponses }), 'GET /ticks')
      expect(parse(text).map(({ event, data }) => [event, data])).toEqual([['tick', 'null']])
    }
  })

  it('[EVT-01] an action that throws ends its stream with the event of a failure, and the log has the error', async () => {
    const logger = recorder()
    async function* follow(): AsyncGenerator<OrderEvent> {
      yield { event: 'gone', data: { id: 1 }, id: '1' }
      throw new Error('the disk is full')
    }
    const app = shop(new Journal(), { logger, environment: 'production', watch: (_, { reply }) => reply.ok(follow()) })
    const { text, status } = await ask(app, 'GET /orders/events')
    expect(status).toBe(200)
    expect(text).not.toContain('disk')
    const [, failure] = parse(text)
    expect(failure).toMatchObject({ event: 'error', id: '1' })
    expect(JSON.parse(failure?.data ?? '')).toMatchObject({ code: 'internal', status: 500 })
    expect(logger.entries.map(({ fields }) => fields.err?.message)).toEqual(['the disk is full', 'the disk is full'])
  })

  it('[EVT-01] an id that would end its line is refused', async () => {
    for (const id of ['1\nevent: forged', '1\r', 'a\0b']) {
      const logger = recorder()
      const given = [{ event: 'gone', data: { id: 1 }, id } as const]
      const app = shop(new Journal(), { logger, environment: 'production', watch: (_, { reply }) => reply.ok(given) })
      const text = await (await app.fetch(new Request('http://shop.test/orders/events'))).text()
      expect(parse(text).map(({ event, id: sent }) => [event, sent])).toEqual([['error', '']])
      expect(logger.entries.map(({ level }) => level)).toEqual(['error'])
    }
  })

  it.each(['error', 'open'])('[EVT-01] none may be called %s', (name) => {
    const mistakes = bootWith({ [name]: Order })
    expect(mistakes).toMatchObject([{ endpoint: 'Orders', action: 'watch', setting: 'responses.ok' }])
    expect(mistakes[0]?.problem).toBe(`an event is called '${name}', as an event of the connection itself is`)
  })

  it('[EVT-01] names that a line cannot carry, types that are none and options of other kinds do not boot', () => {
    expect(bootWith({ 'a\nb': Order })).toHaveLength(1)
    expect(bootWith({ '': Order })).toHaveLength(1)
    expect(bootWith({}).length).toBeGreaterThan(0)
    expect(bootWith({ created: 'Order' }).length).toBeGreaterThan(0)
    expect(bootWith(undefined).length).toBeGreaterThan(0)
    expect(mistakesOf(() => events({ a: Order }, { heartbeat: 'soon' as never }))).toHaveLength(1)
    expect(mistakesOf(() => events({ a: Order }, { retry: 0 }))).toHaveLength(1)
    expect(mistakesOf(() => events({ a: Order }, { heartBeat: 5 } as never))).toHaveLength(1)
    expect(bootWith({ created: Order, gone: t.object({ id: t.integer() }) })).toEqual([])
  })

  const bootWith = (types: unknown) =>
    mistakesOf(() => {
      const ok = events(types as never)
      const Orders = endpoint('Orders', { actions: { watch: { routing: route.get('/'), responses: { ok } } } })
      return application({ controllers: [controller(Orders as never, { watch: () => [] } as never) as never] })
    })
})

describe('lists that are written element by element', () => {
  it('[EVT-01] are JSON lines under their registered name, or JSON text sequences', async () => {
    const app = shop(new Journal())
    const lines = await ask(app, 'GET /orders/lines')
    expect(lines.headers['content-type']).toBe('application/jsonl')
    expect(lines.text).toBe('{"id":1,"note":"a\\nb"}\n{"id":2,"placed":"1970-01-01T00:00:00.000Z"}\n')
    const texts = await ask(app, 'GET /orders/texts')
    expect(texts.headers['content-type']).toBe('application/json-seq')
    expect(texts.text).toBe('\x1e{"id":1,"note":"a\\nb"}\n\x1e{"id":2,"placed":"1970-01-01T00:00:00.000Z"}\n')
  })

  it('[EVT-01] a format that does not exist is a mistake', () => {
    const Book = mediaType('Book', { attributes: { id: t.integer() } })
    const settings = mistakesOf(() => collectionOf(Book, { as: 'jsonlines' as never })).map(({ setting }) => setting)
    expect(settings).toContain('collectionOf.as')
  })
})
