// Laws between nginx and the server: connections, limits, prefixes, and one opinion about where requests end.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type Answered, ask, type Target } from './client.ts'
import { probes } from './desync.ts'
import type { Proxied } from './proxy.ts'
import { speak } from './raw.ts'

/** A case that needs the proxy and what is behind it. */
export interface ProxyCase {
  readonly group: string
  readonly name: string
  run(proxied: Proxied): Promise<void>
}

const group = (name: string, cases: Readonly<Record<string, ProxyCase['run']>>): readonly ProxyCase[] =>
  Object.entries(cases).map(([title, run]) => ({ group: name, name: title, run }))

const isOurs = ({ headers }: Answered): boolean => headers['content-type'] === 'application/problem+json'
const bodyOf = (size: number): { headers: Record<string, string>; body: string } => ({
  headers: { 'content-type': 'application/json' },
  body: `"${'x'.repeat(size - 2)}"`,
})
const manyHeaders = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`x-${i}`, 'y'.repeat(4000)]))
const longFilter = `/api/books?pagination=page=2,items=5,total_count=true&filters=title!=${'a'.repeat(2500)}`

const connections = group('proxy', {
  'requests of one client share its connection': async ({ advised }) => {
    const get = (last: string): string => `GET /api/paths HTTP/1.1\r\nHost: a\r\nConnection: ${last}\r\n\r\n`
    const { statuses, closed } = await speak(advised.port, [get('keep-alive'), get('keep-alive'), get('close')])
    deepEqual([statuses, closed], [[200, 200, 200], true])
  },
  'requests of many clients at once': async ({ advised }) => {
    const names = Array.from({ length: 50 }, (_, i) => `client${i}`)
    const texts = await Promise.all(names.map((name) => ask(advised, `GET /api/paths/captures/1/${name}`)))
    deepEqual(
      texts.map(({ json }) => json.name),
      names,
    )
  },
  'an action learns that the proxy gave up': async ({ advised, direct }) => {
    const before = (await ask(direct, 'GET /api/streams/ended')).json.ended
    await speak(advised.port, ['GET /api/streams/endless HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'], 40, 200)
    for (let i = 0; i < 400; i++) {
      if ((await ask(direct, 'GET /api/streams/ended')).json.ended > before) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the stream goes on after 20 seconds')
  },
})

const limits = group('limits', {
  'a body of nine megabytes gets our 413 through the proxy, buffered': async ({ advised }) => {
    const answer = await ask(advised, 'POST /api/uploads/echo', bodyOf(9_000_000))
    deepEqual([answer.status, isOurs(answer)], [413, true])
  },
  'and not buffered, while the client still sends': async ({ prefixed }) => {
    const answer = await ask(prefixed, 'POST /api/uploads/echo', bodyOf(9_000_000))
    deepEqual([answer.status, isOurs(answer)], [413, true])
  },
  'as nginx comes, it answers 413 itself': async ({ asItComes }) => {
    const answer = await ask(asItComes, 'POST /api/uploads/echo', bodyOf(2_000_000))
    deepEqual([answer.status, isOurs(answer)], [413, false])
  },
  'headers that nginx lets pass and we do not get our 431': async ({ advised }) => {
    const answer = await ask(advised, 'GET /api/paths', { headers: manyHeaders })
    deepEqual([answer.status, isOurs(answer)], [431, true])
  },
  'a header that is too long for nginx does not reach us': async ({ advised }) => {
    equal((await ask(advised, 'GET /api/paths', { headers: { 'x-long': 'y'.repeat(9000) } })).status, 400)
  },
  'links of a long query pass, but not as nginx comes': async ({ advised, asItComes }) => {
    const { status, headers } = await ask(advised, `GET ${longFilter}`)
    ok(status === 200 && String(headers['link']).length > 8192)
    equal((await ask(asItComes, `GET ${longFilter}`)).status, 502)
  },
  'a deadline of ours comes before one of nginx': async ({ asItComes }) => {
    const answer = await ask(asItComes, 'GET /api/failures/late')
    deepEqual([answer.status, isOurs(answer)], [503, true])
  },
  'a shorter one of nginx is a 504 of its own': async ({ advised }) => {
    equal((await ask(advised, 'GET /impatient/api/failures/late')).status, 504)
    equal((await ask(advised, 'GET /api/paths')).text, 'root')
  },
})

const linkOf = async (target: Target, line: string): Promise<string> =>
  String((await ask(target, line)).headers['link'])

const prefixes = group('prefix', {
  'a prefix in the base path is in links': async ({ prefixed }) => {
    match(await linkOf(prefixed, 'GET /api/books?pagination=items=1'), /^<\/gateway\/api\/books\?/)
  },
  'one that the proxy takes away is not': async ({ advised }) => {
    match(await linkOf(advised, 'GET /stripped/api/books?pagination=items=1'), /^<\/api\/books\?/)
  },
  'nor does a header bring it back': async ({ advised }) => {
    const headers = { 'x-forwarded-prefix': '/evil', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
    const answer = await ask(advised, 'GET /api/books?pagination=items=1', { headers })
    ok(!JSON.stringify([answer.headers, answer.text]).includes('evil'))
  },
})

const visitsOf = async (target: Target): Promise<string[]> => (await ask(target, 'GET /api/paths/visits')).json

/** Plays a probe, then asks as others do on the connection that the proxy shares among them. */
const probe =
  (text: string) =>
  async ({ advised, direct }: Proxied): Promise<void> => {
    await speak(advised.port, [text], 60)
    for (const victim of ['first', 'second', 'third']) {
      const { text: answer } = await ask(advised, `GET /api/paths/captures/1/${victim}`)
      equal(answer, JSON.stringify({ id: 1, name: victim }))
    }
    deepEqual(
      (await visitsOf(direct)).filter((visit) => visit === 'hidden through nobody'),
      [],
    )
  }

const control = group('desync', {
  'a request past the proxy would be noticed': async ({ direct }) => {
    await speak(direct.port, ['GET /api/paths/visits/shown HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'])
    ok((await visitsOf(direct)).includes('shown through nobody'))
  },
})
const desync = group('desync', Object.fromEntries(Object.entries(probes).map(([name, text]) => [name, probe(text)])))

/** All of them. */
export const proxyCases: readonly ProxyCase[] = [...connections, ...limits, ...prefixes, ...control, ...desync]
