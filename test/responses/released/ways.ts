// Every way out of a response: an application whose actions, callbacks, policies and plugins do to a body what a case says.
import {
  ActionResponse,
  type Application,
  application,
  collectionOf,
  endpoint,
  events,
  mediaType,
  route,
  t,
} from 'edict'
import { compression } from 'edict/compression'
import { type OutgoingResponse, type Plugin, type PolicyRequest, policy } from 'edict/extend'
import { idempotency, idempotent } from 'edict/idempotency'
import { memoryStore } from 'edict/stores'
import type { Course, Meaning, Probe } from './kinds.ts'

/** One request: what its body is, and what becomes of it. */
export interface Case {
  readonly way: string
  readonly meaning: Meaning
  readonly probe: Probe
  readonly make: () => unknown
  readonly begin: () => void
}

/** The response of a request as the code of a way may replace it. */
interface Context {
  response: { body: unknown }
  readonly reply: Readonly<Record<string, (body?: unknown, init?: object) => ActionResponse>>
  readonly request: { readonly signal: AbortSignal; readonly params: { readonly id: string } }
}

/** What happens on a way; what is left out is as usual. */
export interface Way {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly course?: Course
  readonly leaves?: 'before' | 'during'
  /** The action, given a body. */
  readonly act?: (body: unknown, context: Context) => unknown
  /** A callback after the action. */
  readonly after?: (context: Context) => unknown
  /** A callback after the response is written. */
  readonly afterWritten?: (context: Context) => unknown
  /** The policy, after the action and before the answer. */
  readonly policyAfter?: (response: ActionResponse) => ActionResponse | undefined
  readonly policyAnswer?: (response: OutgoingResponse) => void | Promise<void>
  /** A plugin, before the answer leaves. */
  readonly answer?: (response: OutgoingResponse, found: Case) => void | Promise<void>
  /** Its body is not made by the action. */
  readonly later?: boolean
  /** Kinds that cannot go this way. */
  readonly without?: readonly string[]
  /** Only for pieces of texts: lists that have been opened cannot be wrapped. */
  readonly textOnly?: boolean
}

/** Milliseconds for a request. */
const DEADLINE = 200
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const late = (): Promise<void> => pause(DEADLINE + 50)
const fail = (): never => {
  throw new Error('broken on purpose')
}

async function* wrap(body: unknown): AsyncGenerator<string> {
  for await (const piece of body as AsyncIterable<string>) yield piece
}

async function* other(): AsyncGenerator<string> {
  yield 'other'
}

const teapot = (body: unknown): ActionResponse => new ActionResponse('teapot', 418, { body })
const isStream = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (Symbol.asyncIterator in body || 'getReader' in body)
const wrapped = (body: unknown): never => (isStream(body) ? wrap(body) : body) as never

/** The ways out. */
export const ways: Readonly<Record<string, Way>> = {
  sent: {},
  HEAD: { method: 'HEAD' },
  'HEAD of a body that fails': { method: 'HEAD', course: 'fails' },
  'compressed HEAD': { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } },
  'a status without a body, by a plugin': {
    answer(response) {
      response.status = 204
    },
  },
  'a body for a response without one': { act: (body, { reply }) => reply['noContent']?.(body) },
  'a response that is not declared': { act: teapot },
  'a header that cannot be sent': {
    act: (body, { reply }) => reply['ok']?.(body, { headers: { 'X-Odd': 'odd\nodd' } }),
  },
  'a declared header that is missing': { act: (body, { reply }) => reply['created']?.(body) },
  'another status': { act: (body) => new ActionResponse('ok', 201, { body }) },
  // Some are objects, which are sent as such.
  'a structure is declared': { act: (body, { reply }) => reply['accepted']?.(body) },
  'nothing is acceptable': {
    headers: { accept: 'image/png' },
    act: (body, { reply }) => reply['multiStatus']?.(body),
  },
  thrown: {
    act(body, { reply }) {
      throw reply['ok']?.(body)
    },
  },
  'thrown, and not declared': {
    act(body) {
      throw teapot(body)
    },
  },
  'returned without a response': { act: (body) => body },
  'put into the context, and another one returned': {
    act(body, { reply, response }) {
      response.body = body
      return reply['ok']?.(other())
    },
    textOnly: true,
  },
  'replaced by a callback': { after: ({ reply }) => reply['conflict']?.('replaced') },
  'replaced by a callback, in place': {
    after({ response }) {
      response.body = 'replaced'
    },
    textOnly: true,
  },
  'replaced by a callback, with a stream': { after: ({ reply }) => reply['ok']?.(other()), textOnly: true },
  'wrapped by a callback': { after: ({ reply, response }) => reply['ok']?.(wrapped(response.body)), textOnly: true },
  'wrapped by a callback, and HEAD': {
    method: 'HEAD',
    after: ({ reply, response }) => reply['ok']?.(wrapped(response.body)),
    textOnly: true,
  },
  'wrapped by a callback, in place, and left': {
    course: 'endless',
    leaves: 'during',
    after({ response }) {
      response.body = wrapped(response.body)
    },
    textOnly: true,
  },
  'a callback that fails': { after: fail },
  'a callback that waits, then fails': { after: () => pause(1).then(fail) },
  'replaced after it was written': { afterWritten: ({ reply }) => reply['conflict']?.('replaced') },
  'a callback that fails after it was written': { afterWritten: fail },
  'replaced in place after it was written': {
    act: (_, { reply }) => reply['ok']?.(other()),
    afterWritten(context) {
      context.response.body = cases.get(context.request.params.id)?.make()
    },
    textOnly: true,
    later: true,
    without: ['the handle of a file'],
  },
  'replaced by a policy': { policyAfter: () => new ActionResponse('conflict', 409) },
  'a policy that fails': { policyAfter: fail },
  'a policy that fails before the answer leaves': { policyAnswer: fail },
  'replaced by a plugin': {
    answer(response) {
      if (isStream(response.body)) response.body = 'replaced'
    },
  },
  'replaced by a plugin, with a stream': {
    answer(response) {
      if (isStream(response.body)) response.body = other()
    },
  },
  'wrapped by a plugin': {
    answer(response) {
      response.body = wrapped(response.body)
    },
  },
  'wrapped by a plugin, which then fails': {
    answer(response) {
      response.body = wrapped(response.body)
      fail()
    },
  },
  'a plugin that fails': { answer: fail },
  'a plugin that waits, then fails': { answer: () => pause(1).then(fail) },
  'a plugin that waits for a body that fails': { course: 'fails', answer: () => pause(10) },
  'a plugin that takes too long': { answer: late },
  'a plugin that takes too long, then replaces it': {
    act: (_, { reply }) => reply['noContent']?.(),
    async answer(response, { make }) {
      await late()
      response.body = make() as never
    },
    later: true,
    without: ['the handle of a file'],
  },
  compressed: { headers: { 'accept-encoding': 'gzip' } },
  'a piece that cannot be sent': { course: 'odd' },
  'a piece that cannot be compressed': { course: 'odd', headers: { 'accept-encoding': 'gzip' } },
  'compressed, and fails': { course: 'fails', headers: { 'accept-encoding': 'gzip' } },
  fails: { course: 'fails' },
  'after the deadline': { act: (body, { reply }) => late().then(() => reply['ok']?.(body)) },
  'thrown after the deadline': {
    act: (body, { reply }) => late().then(() => Promise.reject(reply['ok']?.(body))),
  },
  'without a response after the deadline': { act: (body) => late().then(() => body) },
  'while a callback passes the deadline': { after: late },
  'by a callback after the deadline': {
    act: (_, { reply }) => reply['ok']?.('short'),
    after: ({ reply, request }) => late().then(() => reply['ok']?.(cases.get(request.params.id)?.make())),
    without: ['the handle of a file'],
    textOnly: true,
    later: true,
  },
  'in place, by a callback after the deadline': {
    act: (_, { reply }) => reply['ok']?.('short'),
    async after({ response, request }) {
      await late()
      response.body = cases.get(request.params.id)?.make()
    },
    without: ['the handle of a file'],
    textOnly: true,
    later: true,
  },
  'recorded under a key': { method: 'POST', headers: { 'idempotency-key': 'new' } },
  'under a key, and fails': { method: 'POST', course: 'fails', headers: { 'idempotency-key': 'new' } },
  'the client goes before': {
    leaves: 'before',
    course: 'endless',
    act: async (body, { reply }) => pause(20).then(() => reply['ok']?.(body)),
  },
  'the client goes during': { leaves: 'during', course: 'endless' },
  'the client goes during a compressed one': {
    leaves: 'during',
    course: 'endless',
    headers: { 'accept-encoding': 'gzip' },
  },
  // A generator ends where it stands only when what it waits for has come, and a file is never silent.
  'the client goes while nothing comes': {
    leaves: 'during',
    course: 'silent',
    without: ['an async generator', 'a file', 'a cursor'],
  },
}

/** The cases under way, by their ids. */
export const cases: Map<string, Case> = new Map()

const caseOf = ({ url }: PolicyRequest): Case | undefined =>
  cases.get(new URL(url, 'http://a.test').searchParams.get('id') ?? '')
const wayOf = (found: Case | undefined): Way => ways[found?.way ?? ''] ?? {}

const released = policy({
  name: 'released',
  plugin: 'released',
  responses: [{ status: 409, code: 'conflict', title: 'Conflict' }],
})

const plugin: Plugin = {
  name: 'released',
  enforce: () => ({
    after: (response, request) => wayOf(caseOf(request)).policyAfter?.(response),
    response: (response, request) => wayOf(caseOf(request)).policyAnswer?.(response),
  }),
  response(response, request) {
    const found = caseOf(request as never)
    return found && wayOf(found).answer?.(response, found)
  },
}

const Row = mediaType('Row', { attributes: { id: t.integer({ required: true }) } })
const responses = {
  noContent: true,
  conflict: true,
  created: { mediaType: 'text/plain', headers: { 'X-There': true } },
  accepted: t.object({ id: t.integer() }),
  multiStatus: { mediaType: ['text/plain', 'text/csv'] },
} as const
const params = { id: t.string({ required: true }) }
const policies = [released, idempotent({ keep: '1h' })]

const bodies: Readonly<Record<Meaning, unknown>> = {
  text: 'text/plain',
  list: collectionOf(Row, { as: 'ndjson' }),
  jsonl: collectionOf(Row, { as: 'jsonl' }),
  'json-seq': collectionOf(Row, { as: 'json-seq' }),
  events: events({ row: Row }),
}
const actions = Object.entries(bodies).map(([meaning, ok]) => [
  meaning,
  {
    routing: [route.get(`/${meaning}`), route.post(`/${meaning}`)],
    ...{ params, policies, responses: { ok, ...responses } },
  },
])

const Bodies = endpoint('Bodies', { actions: Object.fromEntries(actions) } as never)

async function act({ id }: { readonly id: string }, context: Context): Promise<unknown> {
  const found = cases.get(id) as Case
  const { act = (body, { reply }) => reply['ok']?.(body), leaves, later = false } = wayOf(found)
  found.begin()
  if (leaves === 'before') await pause(5)
  return act(later ? undefined : await found.make(), context)
}

const wayIn = (context: unknown): Way => wayOf(cases.get((context as Context).request.params.id))

/** The application. */
export function appOf(): Application {
  const implemented = Bodies.implement(Object.fromEntries(actions.map(([meaning]) => [meaning, act])) as never)
    .after((context) => wayIn(context).after?.(context as never) as never)
    .after('response', (context) => wayIn(context).afterWritten?.(context as never) as never)
  return application({
    controllers: [implemented],
    logger: { info() {}, warn() {}, error() {} },
    timeout: DEADLINE,
    plugins: [plugin, idempotency(memoryStore()), compression({ threshold: 0 })],
  })
}
