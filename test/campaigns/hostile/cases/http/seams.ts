// Seams: requests that this server and a proxy before or behind it may read differently. Targets of other hosts, bodies whose
// end is said twice, expectations, and queries that come back four times in the links of a list.
import { valuesOf } from '../../answers.ts'
import { group, type Row } from '../../case.ts'
import { ask, get, send } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

const LIST = '/api/v1.0/blogs?pagination=items=2'

/** Complains when a link leads to another host, or a head is larger than clients take. */
function own({ answers: [answer], text }: Seen): string | undefined {
  if (text.indexOf('\r\n\r\n') > 16 * 1024) return 'the head is larger than clients take'
  const [link = ''] = answer === undefined ? [] : valuesOf(answer, 'link')
  const stray = [...link.matchAll(/<([^>]*)>/g)].find(
    ([, to]) => new URL(to as string, 'http://own.invalid').host !== 'own.invalid' || !/^\/api\//.test(to as string),
  )
  return stray === undefined ? undefined : `there is a link to ${stray[1]?.slice(0, 80)}`
}

const foreign: readonly string[] = [
  'http://evil.invalid',
  'HTTP://EVIL.INVALID',
  'hTTps://evil.invalid',
  'http://user:pw@evil.invalid',
  'http://user:pw@evil.invalid:8080',
  'http://[::1]:80',
  'http://evil.invalid:99999',
  'http://%65vil.invalid',
  'http://evil.invalid\\@localhost',
  'http://',
  'https://a:b:c@d@evil.invalid',
  'http://localhost#@evil.invalid',
]

const targets: readonly Row[] = [
  ...foreign.map((origin): Row => [`A list under ${origin}`, get(`${origin}${LIST}`), [200, 400, 404, 'closed']]),
  ...['//evil.invalid', '///evil.invalid', '/\\evil.invalid', '/.//evil.invalid', '/%2F/evil.invalid'].map(
    (path): Row => [`A list behind ${path}`, get(`${path}${LIST}`), [400, 404, 'closed']],
  ),
  ...['ws://evil.invalid', 'ftp://evil.invalid', 'javascript://evil.invalid', 'http:', 'http:/', 'file://'].map(
    (origin): Row => [
      `A list under ${origin}, which is no host of this kind`,
      get(`${origin}${LIST}`),
      [400, 404, 'closed'],
    ],
  ),
  ['A list with a fragment', get(`${LIST}#@evil.invalid/`), [200, 400, 404, 'closed']],
  ['A list for everybody', ask('OPTIONS', '*'), [204, 400, 404]],
]

const INNER = 'GET /reflect?value=smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
const coded = (version: string, lines: readonly string[]): string =>
  [
    `POST /things HTTP/${version}`,
    'Host: localhost',
    'Content-Type: application/json',
    ...lines,
    '',
    `2\r\n{}\r\n0\r\n\r\n${INNER}`,
  ].join('\r\n')

const codings: readonly (readonly string[])[] = [
  ['Transfer-Encoding: gzip, chunked'],
  ['transfer-encoding: GZIP,CHUNKED'],
  ['Transfer-Encoding: deflate , chunked'],
  ['Transfer-Encoding: identity, chunked'],
  ['Transfer-Encoding: chunked , chunked'],
  ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'transfer-encoding: chunked'],
  ['Transfer-Encoding: identity', 'X-A: b', 'TRANSFER-ENCODING: chunked'],
  ['Transfer-Encoding: gzip;q=1, chunked'],
  ['Transfer-Encoding: , chunked'],
  ['Transfer-Encoding:\tgzip\t,\tchunked'],
  ['Transfer-Encoding: gzip, chunked', 'Content-Length: 12'],
  ['Content-Length: 12', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
]

const transfers: readonly Row[] = [
  ...codings.map((lines): Row => [`A body of ${lines.join(' and ')}`, coded('1.1', lines), [400, 501, 'closed']]),
  ...[
    ['Transfer-Encoding: chunked'],
    ['Connection: keep-alive', 'Transfer-Encoding: Chunked'],
    ...codings.slice(0, 2),
  ].map((lines): Row => [`A body of ${lines.join(' and ')} of HTTP/1.0`, coded('1.0', lines), [400, 501, 'closed']]),
]

/** Complains unless a refused expectation says what is wrong, and that the connection ends. */
const explained = ({ answers: [answer], interim }: Seen): string | undefined => {
  if (answer?.status !== 417) return undefined
  if (interim.length > 0) return 'it tells a client to go on that it refuses'
  const [type, connection] = ['content-type', 'connection'].map((name) => valuesOf(answer, name)[0])
  return type === 'application/problem+json' && connection === 'close' ? undefined : 'it says nothing'
}

const expectations: readonly Row[] = [
  ...[
    'x',
    '200-ok',
    '100-continues',
    '100-continue, x',
    'x, 100-continue',
    '"100-continue"',
    '100-continue;a=b',
    '',
  ].map(
    (expected): Row => [
      `An expectation of ${JSON.stringify(expected)}, and a request in the body`,
      send('PUT /text', 'text/plain', INNER, { Expect: expected }),
      417,
    ],
  ),
  ['An expectation of something, without a body', get('/health', { Expect: 'something' }), 417],
  ['An expectation of something at a path that leads nowhere', get('/nothing', { Expect: 'something' }), 417],
]

const fillings: readonly (readonly [string, string])[] = [
  ['letters', 'a'],
  ['escapes', '%C3%A9'],
  ['quotes', '"'],
  ['brackets', '<>'],
]

const long: readonly Row[] = fillings.flatMap(([says, sign]) =>
  [900, 2500, 5000, 8000, 12_000].map(
    (size): Row => [
      `A list whose query has ${size} characters of ${says}`,
      get(`${LIST},total_count=true&utm_a=${sign.repeat(Math.floor(size / sign.length))}`),
      [200, 400, 414],
    ],
  ),
)

/** Targets of other hosts. */
export const others = group('TGT', 'targets of other hosts', targets, { app: 'blog', ours: true, own })
/** Codings of bodies on their way. */
export const codingsOnTheWay = group('TRC', 'transfer codings', transfers, { ours: true, linger: 40 })
/** Expectations of other kinds. */
export const demands = group('EXP', 'expectations', expectations, { ours: true, linger: 40, own: explained })
/** Queries that come back in links. */
export const linkedBack = group('LNK', 'long queries of lists', long, { app: 'blog', ours: true, own })
