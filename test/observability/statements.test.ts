// Statements as plugins follow them: what was sent to each database, without its values, below the request that sent it.
import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { Plugin } from 'edict'
import type { SentStatement, StatementEnd } from 'edict/extend'
import { opentelemetry } from 'edict/opentelemetry'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { askFetch, askSocket, recorder } from '../support/ask.ts'
import type { Shelf } from '../support/library/open.ts'
import { everywhere, isDatabase } from '../support/library/reader.ts'
import { applicationOf } from '../support/library/resources.ts'

const exporter = new InMemorySpanExporter()

beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
})
afterEach(() => exporter.reset())
afterAll(() => {
  for (const one of [trace, context, metrics]) one.disable()
})

const SYSTEMS = { postgres: 'postgresql', mysql: 'mysql', sqlite: 'sqlite' }
const LINES = [
  ['GET /books?filters=title=hush1&pagination=by=title', 'SELECT'],
  ['GET /books/1', 'SELECT'],
  ['POST /books', 'INSERT', { body: { title: 'hush2' } }],
  ['PATCH /books/1', 'UPDATE', { body: { title: 'hush3' } }],
  ['DELETE /books/999', 'DELETE'],
] as const

// MariaDB takes part in CI: its statements take the way of the others.
const isChosen = (shelf: Shelf): boolean =>
  isDatabase(shelf) && (process.env['CI'] !== undefined || shelf.engine?.dialect !== 'mysql')

const spansOf = (kind: SpanKind): ReadableSpan[] => exporter.getFinishedSpans().filter((one) => one.kind === kind)

await everywhere((reader) => {
  test('[OBS-01] each statement is a child of its request, as the client sent it and without values', async () => {
    const app = applicationOf(reader.library, {}, recorder(), [opentelemetry()])
    await app.start()
    // The first lists look at the catalogue.
    await askFetch(app, 'GET /books?pagination=by=title')
    for (const [line, operation, asked] of LINES) {
      for (const send of [askFetch, askSocket]) {
        exporter.reset()
        reader.opened.statements.length = 0
        const { status } = await send(app, line, asked)
        await expect.poll(() => spansOf(SpanKind.SERVER)).toHaveLength(1)
        expect(status, line).toBeLessThan(500)
        const [request] = spansOf(SpanKind.SERVER) as [ReadableSpan]
        const statements = spansOf(SpanKind.CLIENT)
        // A client may add what it needs to count rows.
        const sent = statements.map(({ attributes }) => attributes['db.query.text'] as string)
        expect(sent.map((text, i) => reader.opened.statements[i]?.slice(0, text.length))).toEqual(sent)
        expect(statements).toHaveLength(reader.opened.statements.length)
        expect(statements.length).toBeGreaterThan(0)
        for (const one of statements) expect(one.parentSpanContext?.spanId).toBe(request.spanContext().spanId)
        const [first] = statements as [ReadableSpan]
        expect(first.name).toBe(`${operation} books`)
        expect(first.attributes).toMatchObject({
          'db.system.name': SYSTEMS[reader.dialect as keyof typeof SYSTEMS],
          'db.operation.name': operation,
          'db.collection.name': 'books',
          [operation === 'SELECT' ? 'db.response.returned_rows' : 'edict.db.affected_rows']: expect.any(Number),
        })
        expect(JSON.stringify(statements.map(({ name, attributes }) => [name, attributes]))).not.toContain('hush')
      }
    }
    await app.close()
    exporter.reset()
    await reader.library.books.find(1)
    expect(exporter.getFinishedSpans()).toEqual([])
  })

  test('[OBS-01] two applications of one database make one span of a statement', async () => {
    const apps = [1, 2].map(() => applicationOf(reader.library, {}, recorder(), [opentelemetry()]))
    for (const app of apps) await app.start()
    reader.opened.statements.length = 0
    await askFetch(apps[0] as (typeof apps)[number], 'GET /books/1')
    await expect.poll(() => spansOf(SpanKind.SERVER)).toHaveLength(1)
    expect(spansOf(SpanKind.CLIENT)).toHaveLength(reader.opened.statements.length)
    for (const app of apps) await app.close()
  })

  test('[EXT-01] any plugin may follow statements, those of transactions and refused ones included', async () => {
    const told: (readonly [SentStatement, StatementEnd])[] = []
    const log = recorder()
    const following: Plugin = {
      name: 'following',
      statement: (sent) => (ended) => void told.push([sent, ended]),
    }
    const thrower: Plugin = {
      name: 'thrower',
      statement: () => {
        throw new Error('oh')
      },
    }
    const app = applicationOf(reader.library, {}, log, [following, thrower])
    await app.start()
    await reader.opened.transaction(async ({ books }) => void (await books.find(1)))
    expect(told[0]).toMatchObject([
      { operation: 'SELECT', table: 'books' },
      { rows: 1, error: undefined },
    ])
    await expect(reader.library.books.create({ id: 1, title: 'hush' })).rejects.toThrow()
    expect(told.at(-1)).toMatchObject([{ operation: 'INSERT' }, { rows: undefined, error: { name: 'DatabaseError' } }])
    expect(JSON.stringify(told)).not.toContain('hush')
    expect(log.entries.every(({ fields }) => fields.plugin === 'thrower' && fields.hook === 'statement')).toBe(true)
    expect(log.entries.length).toBe(told.length)
    const count = told.length
    await app.close()
    await reader.library.books.find(1)
    expect(told).toHaveLength(count)
  })

  test('[OBS-01] a statement that is refused is an error, with the code of the database', async () => {
    const app = applicationOf(reader.library, {}, recorder(), [opentelemetry()])
    await app.start()
    await trace.getTracer('job').startActiveSpan('job', async (job) => {
      await reader.library.books.create({ id: 1, title: 'hush' }).catch(() => {})
      job.end()
    })
    const [refused] = spansOf(SpanKind.CLIENT) as [ReadableSpan]
    expect(refused.status.code).toBe(SpanStatusCode.ERROR)
    expect(refused.attributes['error.type']).toBeDefined()
    expect(refused.events[0]?.attributes?.['exception.type']).toBeDefined()
    expect(JSON.stringify([refused.attributes, refused.events])).not.toContain('hush')
    await app.close()
  })
}, isChosen)
