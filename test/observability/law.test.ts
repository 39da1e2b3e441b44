// The law of all that observes: for any application and any requests, as many answers as log lines, events and ends, and in
// none of them a secret.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { serve } from '../../src/adapters/node/index.ts'
import {
  type Application,
  type Attributes,
  application,
  endpoint,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { accessLog } from '../../src/plugins/access-log/index.ts'
import { diagnostics, type RequestEndMessage } from '../../src/plugins/diagnostics/index.ts'
import { drift } from '../../src/plugins/drift/index.ts'

const SECRET = 'S3CRET'
const NAMES = ['alpha', 'beta', 'gamma', 'delta'] as const
const HEADERS = ['X-One', 'X-Two', 'X-Three'] as const

interface Declared {
  /** Captures of the path in order, by whether they are secrets. */
  readonly captures: readonly boolean[]
  readonly query: Readonly<Record<string, 'plain' | 'secret' | 'nested' | 'list' | 'json'>>
  readonly headers: Readonly<Record<string, boolean>>
  readonly payload: boolean
  readonly key: 'none' | 'query' | 'header' | 'cookie'
  readonly base: string
  readonly version: boolean
}

const declared: fc.Arbitrary<Declared> = fc.record({
  captures: fc.array(fc.boolean(), { maxLength: 3 }),
  query: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('plain', 'secret', 'nested', 'list', 'json')),
  headers: fc.dictionary(fc.constantFrom(...HEADERS), fc.boolean()),
  payload: fc.boolean(),
  key: fc.constantFrom('none', 'query', 'header', 'cookie'),
  base: fc.constantFrom('', '/api'),
  version: fc.boolean(),
})

/** How a request departs from what is declared. */
interface Sent {
  readonly verb: 'right' | 'HEAD' | 'OPTIONS' | 'DELETE'
  readonly path: 'right' | 'longer' | 'doubled' | 'unversioned' | 'encoded' | 'misspelt'
  readonly query: 'right' | 'misspelt' | 'bare' | 'upper' | 'nested' | 'encoded'
  readonly key: 'right' | 'wrong'
}

const sent: fc.Arbitrary<Sent> = fc.record({
  verb: fc.constantFrom('right', 'right', 'HEAD', 'OPTIONS', 'DELETE'),
  path: fc.constantFrom('right', 'right', 'longer', 'doubled', 'unversioned', 'encoded', 'misspelt'),
  query: fc.constantFrom('right', 'right', 'misspelt', 'bare', 'upper', 'nested', 'encoded'),
  key: fc.constantFrom('right', 'wrong'),
})

const secret = t.string({ secret: true })
const kinds = {
  plain: t.string(),
  secret,
  nested: t.object({ open: t.string(), hidden: secret }),
  list: t.array(secret),
  json: t.json(t.object({ hidden: secret })),
}

function applicationOf(made: Declared, lines: string[], logged: object[]): Application {
  const captures = made.captures.map((hidden, i) => [`c${i}`, hidden ? secret : t.string()] as const)
  const query = Object.entries(made.query).map(([name, kind]) => [name, kinds[kind]] as const)
  const headers = Object.entries(made.headers).map(([name, hidden]) => [name, hidden ? secret : t.string()] as const)
  const key = made.key === 'none' ? 'query' : made.key
  const Key = security.apiKey<string>('Key', {
    in: key,
    name: 'X-Key',
    ...(key === 'cookie' && { crossSite: 'allowed' }),
  })
  const path = `/${captures.map(([name]) => `s/:${name}`).join('/')}`
  const Things = endpoint('Things', {
    ...(made.version && { version: '1.0' }),
    actions: {
      act: {
        routing: made.payload ? route.post(path) : route.get(path),
        params: Object.fromEntries([...captures, ...query]) as Attributes,
        headers: Object.fromEntries(headers) as Attributes,
        ...(made.payload && { payload: { token: secret, nested: t.object({ pin: secret }) } }),
        ...(made.key !== 'none' && { security: Key }),
        responses: { ok: 'text/plain' },
      },
    },
  } as never) as any
  const log = (fields: object): void => void logged.push(fields)
  return application({
    basePath: made.base,
    controllers: [Things.implement({ act: () => 'done' })],
    verifiers:
      made.key === 'none' ? [] : [verifier(Key, (sentKey) => (sentKey === `${SECRET}key` ? 'ada' : undefined))],
    plugins: [
      accessLog({
        write: (line) => void lines.push(line),
        requestHeaders: [...HEADERS, 'X-Key', 'Cookie', 'Authorization', 'User-Agent'],
        responseHeaders: ['Set-Cookie', 'Content-Type'],
        add: (request) => ({ again: request.redactedUrl, key: request.redactedHeader('x-key') }),
      }),
      diagnostics(),
      drift({ sample: 1 }),
    ],
    logRequests: true,
    logger: { info: log, warn: log, error: log },
  })
}

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body?: string
}

function requestOf(made: Declared, how: Sent): Asked {
  const values = made.captures.map((hidden, i) => (hidden ? `${SECRET}path${i}` : `open${i}`))
  const segments = values.map((value) => `s/${how.path === 'encoded' ? `%53${value.slice(1)}` : value}`)
  const version = made.version && how.path !== 'unversioned' ? '/v1.0' : ''
  const hidden = made.captures.includes(true)
  let path = `${made.base}${version}/things${segments.map((one) => `/${one}`).join('')}`
  if (how.path === 'longer') path += `/${hidden ? SECRET : 'x'}`
  if (how.path === 'doubled') path = path.replace('/things/', '//things//')
  if (how.path === 'misspelt') path = path.replace('/things', '/thing')
  const pairs = Object.entries(made.query).flatMap(([name, kind]) => pairOf(name, kind, how.query))
  if (made.key === 'query') pairs.push(`X-Key=${SECRET}${how.key === 'right' ? 'key' : 'wrong'}`)
  const key = `${SECRET}${how.key === 'right' ? 'key' : 'wrong'}`
  const right = made.payload ? 'POST' : 'GET'
  const method = how.verb === 'right' ? right : how.verb
  const headers = {
    ...Object.fromEntries(Object.entries(made.headers).map(([name, one]) => [name, one ? `${SECRET}head` : 'open'])),
    ...(made.key === 'header' && { 'X-Key': key }),
    Cookie: `a=b; X-Key=${key}`,
    Authorization: `Bearer ${SECRET}bearer`,
    'User-Agent': 'law',
    ...(method === 'POST' && { 'Content-Type': 'application/json' }),
  }
  const body = method === 'POST' ? { body: JSON.stringify({ token: `${SECRET}body`, nested: { pin: SECRET } }) } : {}
  return { method, url: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`, headers, ...body }
}

function pairOf(name: string, kind: Declared['query'][string], how: Sent['query']): string[] {
  if (kind === 'plain') return [`${name}=open`]
  if (how === 'misspelt') return [`${name.slice(1)}=${SECRET}query`]
  if (how === 'bare') return [`${SECRET}${name}`]
  if (how === 'upper') return [`${name.toUpperCase()}=${SECRET}query`]
  if (how === 'encoded') return [`%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${SECRET}query`]
  if (how === 'nested' || kind === 'nested') return [`${name}[open]=open`, `${name}[hidden]=${SECRET}query`]
  if (kind === 'json') return [`${name}=${encodeURIComponent(JSON.stringify({ hidden: SECRET }))}`]
  return kind === 'list' ? [`${name}[]=${SECRET}one`, `${name}[]=${SECRET}two`] : [`${name}=${SECRET}query`]
}

const numRuns = process.env['CI'] === 'true' ? 150 : 40

it('[OBS-04] [OBS-05] one response is one line and one event, and none has a secret, whatever is declared and sent', async () => {
  await fc.assert(
    fc.asyncProperty(declared, fc.array(sent, { minLength: 1, maxLength: 8 }), async (made, all) => {
      const [lines, logged]: [string[], object[]] = [[], []]
      const events: RequestEndMessage[] = []
      const take = (message: unknown): void => void events.push(message as RequestEndMessage)
      subscribe('edict:request:end', take)
      const app = applicationOf(made, lines, logged)
      const serving = await serve(app, {
        port: 0,
        host: '127.0.0.1',
        signals: false,
        fatal: false,
        timeouts: { drain: 30 },
      })
      const statuses: number[] = []
      for (const how of all) {
        const { url, ...init } = requestOf(made, how)
        const overSocket = await fetch(`${serving.url}${url}`, init)
        await overSocket.arrayBuffer()
        const direct = await app.fetch(new Request(`http://law.example${url}`, init))
        await direct.arrayBuffer()
        expect(direct.status).toBe(overSocket.status)
        statuses.push(overSocket.status, direct.status)
      }
      await serving.close()
      unsubscribe('edict:request:end', take)
      const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b)
      expect(sorted(lines.map((line) => JSON.parse(line).status))).toEqual(sorted(statuses))
      expect(sorted(events.map(({ facts }) => facts.status))).toEqual(sorted(statuses))
      const requests = logged.filter((fields) => 'method' in fields)
      expect(requests).toHaveLength(statuses.length)
      const seen = `${lines.join('\n')}${JSON.stringify(logged)}${JSON.stringify(events.map(({ facts }) => facts))}`
      expect(seen).not.toMatch(/S3CRET|%533CRET|%53%33/i)
    }),
    { numRuns },
  )
}, 120_000)
