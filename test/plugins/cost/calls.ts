// Counts the calls of every function of src/ while an application answers requests: run with the name of its plugins.
import { Session } from 'node:inspector/promises'
import { application, endpoint, type Plugin, route, t } from '../../../src/index.ts'

const Things = endpoint('Things', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain', notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { name: t.string({ required: true }) },
      responses: { noContent: true },
    },
  },
})
const things = Things.implement({
  show: ({ id }, { reply }) => (id === 7 ? reply.notFound() : 'here'),
  create: (_, { reply }) => reply.noContent(),
})

const plugins: Readonly<Record<string, readonly Plugin[]>> = {
  none: [],
  idle: [{ name: 'idle', apply: (options) => options, check() {}, start() {}, close() {} }],
  answer: [{ name: 'answer', response() {} }],
}

const app = application({ controllers: [things], plugins: plugins[process.argv[2] as string] ?? [] })

const body = JSON.stringify({ name: 'x' })
const headers = { 'Content-Type': 'application/json' }
const requests = [
  ['/things/1', {}],
  ['/things/7', {}],
  ['/things/x', {}],
  ['/nowhere', {}],
  ['/things', { method: 'OPTIONS' }],
  ['/things', { method: 'POST', headers, body }],
] as const

async function answerAll(): Promise<void> {
  for (const [path, init] of requests) await (await app.fetch(new Request(`http://x${path}`, init))).arrayBuffer()
}

const session = new Session()
session.connect()
// Work that is done once, for the first request of each kind, is not counted.
await answerAll()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
for (let i = 0; i < 10; i++) await answerAll()
const { result } = await session.post('Profiler.takePreciseCoverage')
const counts: Record<string, number> = {}
for (const { url, functions } of result) {
  const file = /\/(src\/[^?]+)/.exec(url)?.[1]
  if (file === undefined) continue
  for (const { functionName, ranges } of functions) {
    const [{ count, startOffset } = { count: 0, startOffset: 0 }] = ranges
    if (count > 0) counts[`${file} ${functionName} ${startOffset}`] = count
  }
}
console.log(JSON.stringify(counts))
