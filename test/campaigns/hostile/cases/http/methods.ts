// Methods and upgrades: what is not GET or POST, and what wants to be another protocol.
import { group, type Row } from '../../case.ts'
import { ask, get, send } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

/** Complains when a method that echoes requests shows the credentials in one. */
const secretive = ({ text }: Seen): string | undefined =>
  text.includes('topsecret') ? 'it repeats the credentials of the request' : undefined

/** Complains when an answer that refuses a method does not name those that there are (RFC 9110, section 15.5.6). */
const namesMethods = ({ answers: [answer] }: Seen): string | undefined =>
  answer?.status === 405 && !answer.headers.some(([name]) => name === 'allow')
    ? 'it does not say what is allowed'
    : undefined

const UPGRADE = {
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
}
const KNOWN = [
  'DELETE',
  'PATCH',
  'PUT',
  'POST',
  'PROPFIND',
  'MKCOL',
  'LOCK',
  'SEARCH',
  'PURGE',
  'M-SEARCH',
  'SUBSCRIBE',
  'LINK',
  'REPORT',
]

const rows: Row[] = [
  ...KNOWN.map(
    (method): Row => [
      `${method} where there is only GET`,
      ask(method, '/health'),
      405,
      { anyone: [400, 404, 405, 501, 'closed'], safe: namesMethods },
    ],
  ),
  [
    'TRACE with credentials',
    ask('TRACE', '/health', { Authorization: 'topsecret', Cookie: 'topsecret' }),
    405,
    { anyone: [400, 404, 405, 501, 'closed'], safe: secretive },
  ],
  [
    'TRACE with a count of hops',
    ask('TRACE', '/health', { 'Max-Forwards': '0' }),
    405,
    { anyone: [400, 404, 405, 501, 'closed'] },
  ],
  ...[
    ['to another host', 'evil.invalid:443', 404],
    ['to a host without a port', 'evil.invalid', 404],
    ['to a port that there cannot be', 'evil.invalid:99999', 404],
    ['to an address of IPv6', '[::1]:443', 404],
    ['to the service of metadata', '169.254.169.254:80', 404],
    ['to a whole URL', 'http://evil.invalid/health', 405],
    ['to everything', '*', 404],
    ['to a query', '?health', 404],
    ['to a name with credentials', 'topsecret@evil.invalid:443', 404],
    ['to a path', '/health', 405],
    ['to a path that is not encoded in order', '/%zz', 400],
  ].map(
    ([says, target, status]): Row => [
      `CONNECT ${says}`,
      ask('CONNECT', String(target)),
      Number(status),
      { anyone: [400, 404, 405, 501, 'closed'], safe: secretive },
    ],
  ),
  [
    'CONNECT to a target with a space',
    ask('CONNECT', 'evil.invalid :443'),
    [400, 'closed'],
    { anyone: [400, 404, 405, 501, 'closed'] },
  ],
  [
    'CONNECT with a length and a body',
    `${ask('CONNECT', '/health', { 'Content-Length': '5' })}hello`,
    405,
    { anyone: [400, 404, 405, 501, 'closed'] },
  ],
  [
    'CONNECT with a request behind it in the tunnel',
    ask('CONNECT', 'evil.invalid:80') + get('/health'),
    404,
    { anyone: [400, 404, 405, 501, 'closed'], sequence: [404], linger: 100 },
  ],
  [
    'CONNECT behind a request on one connection',
    get('/health') + ask('CONNECT', '/health'),
    200,
    { anyone: [200, 400, 404, 405, 501, 'closed'], sequence: [200, 405] },
  ],
  [
    'CONNECT with a megabyte behind it',
    [ask('CONNECT', '/health'), 'x'.repeat(1_000_000)],
    [405, 'closed'],
    { anyone: [400, 404, 405, 501, 'closed'] },
  ],
  ['OPTIONS of a path', ask('OPTIONS', '/health'), 204, { anyone: [200, 204, 400, 404, 405] }],
  ['OPTIONS of the server', ask('OPTIONS', '*'), [200, 204, 400, 404]],
  [
    'OPTIONS with a body',
    send('OPTIONS /health', 'application/json', '{'),
    204,
    { anyone: [200, 204, 400, 404, 405, 415] },
  ],
  [
    'A request for permission from another origin',
    ask('OPTIONS', '/things', { Origin: 'https://evil.invalid', 'Access-Control-Request-Method': 'POST' }),
    204,
    {
      anyone: [200, 204, 400, 404, 405],
      safe: ({ text }) => (/access-control-allow-origin/i.test(text) ? 'it lets any origin in' : undefined),
    },
  ],
  ['HEAD', ask('HEAD', '/health'), 200, { head: true, anyone: [200, 404, 405] }],
  ['HEAD of a path that leads nowhere', ask('HEAD', '/nothing'), 404, { head: true }],
  ['HEAD of what is refused', ask('HEAD', '/search?count=x'), 400, { head: true }],
  ['HEAD of a stream', ask('HEAD', '/stream'), 200, { head: true, anyone: [200, 404, 405] }],
  [
    'A method that nobody knows',
    ask('BREW', '/health'),
    [400, 405, 501, 'closed'],
    { anyone: [400, 404, 405, 501, 'closed'] },
  ],
  [
    'A method of a hundred letters',
    ask('A'.repeat(100), '/health'),
    [400, 501, 'closed'],
    { anyone: [400, 404, 405, 501, 'closed'] },
  ],
  [
    'A header that replaces the method',
    ask('POST', '/health', { 'X-HTTP-Method-Override': 'GET', 'Content-Length': '0' }),
    405,
    { anyone: [400, 404, 405] },
  ],
  [
    'A parameter that replaces the method',
    ask('POST', '/health?_method=GET', { 'Content-Length': '0' }),
    405,
    { anyone: [400, 404, 405] },
  ],
  ['A GET with a body', send('GET /health', 'application/json', '{'), 200, { anyone: [200, 400] }],
  [
    'A DELETE with a body where there is no DELETE',
    send('DELETE /health', 'application/json', '{'),
    405,
    { anyone: [400, 404, 405, 415] },
  ],
  [
    'An upgrade to a web socket',
    get('/health', { ...UPGRADE, Upgrade: 'websocket' }),
    200,
    { anyone: [200, 400, 404, 426] },
  ],
  [
    'An upgrade to a web socket where nothing is',
    get('/nothing', { ...UPGRADE, Upgrade: 'websocket' }),
    404,
    { anyone: [400, 404, 426] },
  ],
  [
    'An upgrade to HTTP/2',
    get('/health', { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' }),
    200,
    { anyone: [200, 400, 426] },
  ],
  [
    'An upgrade to what nobody knows',
    get('/health', { Connection: 'Upgrade', Upgrade: 'x/1' }),
    200,
    { anyone: [200, 400, 426] },
  ],
  [
    'An upgrade with a body',
    send('POST /things', 'application/json', '{"name":"a"}', { Connection: 'Upgrade', Upgrade: 'websocket' }),
    200,
    { anyone: [200, 400, 426] },
  ],
  [
    'An upgrade and bytes of the other protocol',
    `${get('/health', { ...UPGRADE, Upgrade: 'websocket' })}\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58`,
    200,
    { anyone: [200, 400, 426] },
  ],
  ['A connection header that names other headers', get('/health', { Connection: 'close, Host, Content-Length' }), 200],
  ['A connection header of nonsense', get('/health', { Connection: ',,,;;' }), 200],
  ['Keep-alive with a count that is none', get('/health', { 'Keep-Alive': 'timeout=-1, max=NaN' }), 200],
]

/** Methods. */
export const methods = group('MTH', 'methods and upgrades', rows, { linger: 15 })
