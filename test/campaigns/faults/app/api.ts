// The application under test: actions that wait, burn, stream, write and read; those that fail are in errors.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Application, application, collectionOf, controller, endpoint, type Logger, route, t } from 'edict'
import { mapper, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { Note, type Opened } from './database.ts'
import { mistakes } from './errors.ts'
import type { Gauge, Settings } from './settings.ts'

const ms = t.integer({ required: true, min: 0, max: 60_000 })
const text = { ok: 'text/plain' } as const

const Works = endpoint('Works', {
  prefix: '//',
  actions: {
    text: { routing: route.get('/text'), responses: text },
    wait: { routing: route.get('/wait/:ms'), params: { ms }, responses: text },
    burn: { routing: route.get('/burn/:ms'), params: { ms }, responses: text },
    queue: { routing: route.get('/queue/:ms'), params: { ms }, responses: text },
    patient: { routing: route.get('/patient'), responses: text },
    large: {
      routing: route.get('/large/:kib'),
      params: { kib: t.integer({ required: true, max: 10_000 }) },
      responses: text,
    },
    stream: { routing: route.get('/stream'), responses: { ok: 'text/plain' } },
    echo: { routing: route.post('/echo'), payload: { text: t.string({ required: true }) }, responses: text },
    gauge: { routing: route.get('/gauge'), responses: { ok: 'application/json' } },
  },
})

const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    index: {
      routing: route.get('/'),
      params: { order: OrderingParams.for(Note), pagination: PaginationParams.for(Note) },
      responses: { ok: collectionOf(Note) },
    },
    create: { routing: route.post('/'), payload: { text: t.string({ required: true }) }, responses: { created: Note } },
  },
})

/** Lets a few through at a time, as a pool of connections does. */
class Turnstile {
  #free = 4
  readonly #waiting: (() => void)[] = []

  async pass(duration: number): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await sleep(duration)
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}

async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(64 * 1024)
}

/** The counts of the actions. */
interface Counts {
  late: number
  gone: number
  readonly kept: unknown[]
}

function works(counts: Counts, gauge: () => Gauge, leak: boolean) {
  const turnstile = new Turnstile()
  return controller(Works, {
    text(_, { request }) {
      if (leak) counts.kept.push({ id: request.id, text: Array.from({ length: 2000 }, () => Math.random()) })
      return 'fine'
    },
    async wait({ ms: duration }) {
      await sleep(duration)
      return String(process.pid)
    },
    burn({ ms: duration }) {
      const until = performance.now() + duration
      while (performance.now() < until);
      return 'burnt'
    },
    async queue({ ms: duration }) {
      await turnstile.pass(duration)
      return 'served'
    },
    async patient(_, { request: { signal } }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      if ((signal.reason as Error).name === 'TimeoutError') counts.late++
      else counts.gone++
      return 'nobody reads this'
    },
    large: ({ kib }) => 'x'.repeat(kib * 1024),
    stream: (_, { reply }) => reply.ok(endless()),
    echo: (_, { request }) => request.payload.text,
    gauge: (_, { reply }) => reply.ok(gauge()),
  })
}

/** The counters, measures and log of the application. */
interface Instruments {
  readonly counts: Counts
  readonly gauge: () => Gauge
  readonly logger: Logger
}

/** Makes the application. */
export function makeApplication(
  { deadline = 2000, early = false, leak = false }: Settings,
  { datastore, table }: Opened,
  { counts, gauge, logger }: Instruments,
): Application {
  const notes = resource(datastore, Note, { table: table as never })
  const books = controller(Notes, {
    index: async (_, { request, reply }) => reply.ok(await notes.list(request)),
    async create(_, { request, reply }) {
      if (early) setTimeout(() => void notes.create(request.payload).catch(() => {}), 50)
      const { id } = early ? { id: 0 } : await notes.create(request.payload)
      return reply.created({ id, text: request.payload.text })
    },
  })
  return application({
    title: 'Faults',
    controllers: [works(counts, gauge, leak), books, mistakes],
    plugins: [mapper({ resources: [notes] }), pagination()],
    timeout: deadline,
    logger,
  })
}
