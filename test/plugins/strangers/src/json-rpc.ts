// JSON-RPC 2.0 beside HTTP: `{ "method": "Books.show", "params": { "id": 7 } }` at one path calls the same actions.
import { controller, endpoint, type Plugin, route, t } from 'edict'
import { client } from 'edict/client'
import type { ApiDescription } from 'edict/extend'

const Rpc = endpoint('Rpc', {
  actions: {
    call: {
      routing: route.post('//rpc'),
      payload: {
        jsonrpc: t.string({ required: true, values: ['2.0'] }),
        id: t.integer({ required: true }),
        method: t.string({ required: true, max: 200 }),
        params: t.any(),
      },
      responses: { ok: t.any() },
    },
  },
})

type Calls = Readonly<Record<string, Readonly<Record<string, (params: object, options: object) => Promise<unknown>>>>>

/** Calls an action through the application itself, policies and plugins included, and returns what the wire has. */
async function call(api: ApiDescription, method: string, params: Readonly<Record<string, unknown>>): Promise<object> {
  const definitions = Object.fromEntries(api.endpoints.map(({ name, definition }) => [name, definition]))
  let sent: Response | undefined
  const fetch = async (request: Request): Promise<Response> => {
    const response = await api.fetch(request)
    sent = response.clone()
    return response
  }
  const calls = client(definitions as never, { baseUrl: 'http://rpc.invalid', fetch }) as unknown as Calls
  const [name = '', action = ''] = method.split('.')
  const run = Object.hasOwn(definitions, name) ? calls[name]?.[action] : undefined
  if (run === undefined) return { error: { code: -32601, message: 'Method not found' } }
  const { payload, ...others } = params
  await run(others, payload === undefined ? {} : { payload })
  const text = (await sent?.text()) ?? ''
  const isJson = /json/.test(sent?.headers.get('Content-Type') ?? '')
  const result: unknown = isJson ? JSON.parse(text) : text
  if (sent?.ok) return { result }
  return { error: { code: -32000, message: 'The action refused the call', data: result } }
}

/** Serves all actions by JSON-RPC at `/rpc`. */
export const jsonRpc = (): Plugin => ({
  name: 'json-rpc',
  apply: (options, finished) => ({
    ...options,
    controllers: [
      ...options.controllers,
      controller(Rpc, {
        async call(_, { request, reply }) {
          const { id, method, params } = request.payload
          const answer = await call(finished(), method, (params ?? {}) as Readonly<Record<string, unknown>>)
          return reply.ok({ jsonrpc: '2.0', id, ...answer })
        },
      }),
    ],
  }),
})
