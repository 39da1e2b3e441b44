// Connections: slow clients, clients that leave, pipelines, expectations, upgrades, and the rarer methods.
import { type Details, group, type Row, type Step } from '../../case.ts'
import { ask, get, json, send } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

const drip = (text: string, every: number): Step[] => [...text].flatMap((one): Step[] => [one, { wait: every }])
const POST = ask('POST', '/things', { 'Content-Type': 'application/json', 'Content-Length': '500' })
const CHUNKED = ask('POST', '/things', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })
const LATE = [408, 400, 'closed'] as const
const slow = { patience: 4000, anyone: LATE } as const

const waiting: readonly Row[] = [
  ['A client that says nothing', { wait: 1200 }, LATE, { ...slow, anyone: [...LATE] }],
  ['A request line that stops', 'GET /hea', LATE, slow],
  ['Headers that stop', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: b', LATE, slow],
  ['Headers that come one byte at a time', drip(get('/health', { 'X-Slow': 'a'.repeat(20) }), 25), LATE, slow],
  [
    'Headers that come one line at a time',
    [
      'GET /health HTTP/1.1\r\nHost: a\r\n',
      ...Array.from({ length: 12 }, (_, i): Step[] => [`X-${i}: b\r\n`, { wait: 100 }]).flat(),
    ],
    LATE,
    slow,
  ],
  ['A body that stops', [`${POST}{"name"`], LATE, slow],
  ['A body that never begins', POST, LATE, slow],
  [
    'A body that comes one byte at a time',
    [POST, ...drip('{"name":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 30)],
    LATE,
    slow,
  ],
  ['Chunks that stop', [`${CHUNKED}5\r\n{"na`], LATE, slow],
  [
    'Chunks that come one at a time',
    [CHUNKED, ...Array.from({ length: 15 }, (): Step[] => ['1\r\n \r\n', { wait: 100 }]).flat()],
    LATE,
    slow,
  ],
  [
    'A multipart body that stops',
    `${ask('POST', '/upload', { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '500' })}--b\r\nContent-Disposition: form-data; name="title"\r\n\r\na`,
    LATE,
    slow,
  ],
  [
    'A compressed body that stops',
    `${ask('POST', '/things', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': '500' })}\x1f\x8b\x08\x00`,
    LATE,
    slow,
  ],
  [
    'A second request that stops',
    `${get('/health')}GET /hea`,
    200,
    { sequence: [200, 408], patience: 4000, anyone: [200] },
  ],
  [
    'A body for an action without a payload that stops',
    ask('GET', '/health', { 'Content-Length': '500' }),
    200,
    { anyone: [200, ...LATE], patience: 4000 },
  ],
]

const leaving: readonly Row[] = [
  ['A client that connects and leaves', 'RESET' as const, 'closed'],
  ['A client that leaves within the request line', ['GET /he', 'RESET'], 'closed'],
  ['A client that leaves within its headers', ['GET /health HTTP/1.1\r\nHost: a\r\nX-', 'RESET'], 'closed'],
  ['A client that leaves within its body', [`${POST}{"name":`, 'RESET'], 'closed'],
  ['A client that leaves within a chunk', [`${CHUNKED}ff\r\n{"name":`, 'RESET'], 'closed'],
  [
    'A client that leaves within a file',
    [
      `${ask('POST', '/upload', { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '5000' })}--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc`,
      'RESET',
    ],
    'closed',
  ],
  ['A client that leaves before its answer', [get('/search?name=a'), 'RESET'], 'closed'],
  ['A client that leaves within a stream', [get('/stream'), { wait: 2 }, 'RESET'], 'closed'],
  [
    'A client that leaves within a compressed body',
    [
      `${ask('POST', '/things', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': '500' })}\x1f\x8b\x08\x00`,
      'RESET',
    ],
    'closed',
  ],
  ['A client that leaves within a pipeline', [get('/health').repeat(50), 'RESET'], 'closed'],
  [
    'A client that leaves while it is told to go on',
    [
      ask('PUT', '/text', { 'Content-Type': 'text/plain', 'Content-Length': '9', Expect: '100-continue' }),
      { wait: 5 },
      'RESET',
    ],
    'closed',
  ],
  ['A client that has nothing more to say', [get('/health'), 'END'], 200, { anyone: [200, 'closed'] }],
  ['A client that ends within its headers', ['GET /health HTTP/1.1\r\nHost: a\r\nX-', 'END'], [400, 'closed']],
  ['A client that ends within its body', [`${POST}{"name":"a"`, 'END'], [400, 'closed']],
  ['A client that ends within a chunk', [`${CHUNKED}ff\r\n{"name":`, 'END'], [400, 'closed']],
]

/** Hundreds of requests may take longer than one. */
const MANY: Details = { cpu: 1000 }

const pipelined: readonly Row[] = [
  [
    'Two hundred requests of a client that does not read',
    ['DEAF', get('/health').repeat(200), { wait: 100 }, 'RESET'],
    'closed',
    MANY,
  ],
  [
    'A hundred streams for a client that does not read',
    ['DEAF', get('/stream').repeat(100), { wait: 100 }, 'RESET'],
    'closed',
    MANY,
  ],
  [
    'Two hundred lists of fields for a client that does not read',
    ['DEAF', get('/search?name=a&tags=b&tags=c').repeat(200), { wait: 100 }, 'RESET'],
    'closed',
    MANY,
  ],
  [
    'Fifty requests at once',
    get('/health').repeat(50),
    200,
    { sequence: Array.from({ length: 50 }, () => 200), anyone: [200] },
  ],
  [
    'A refused request between two good ones',
    `${get('/health')}${get('/search?count=x')}${get('/health')}`,
    200,
    { sequence: [200, 400, 200], anyone: [200] },
  ],
  [
    'A broken request behind a good one',
    `${get('/health')}GET /x y HTTP/1.1\r\n\r\n`,
    200,
    { sequence: [200, 400], anyone: [200] },
  ],
  [
    'A good request behind one that closes',
    `${get('/health', { Connection: 'close' })}${get('/health')}`,
    200,
    { linger: 60 },
  ],
  [
    'A body that is too large before a good request',
    Buffer.concat([send('PUT /text', 'text/plain', 'a'.repeat(300_000)), Buffer.from(get('/health'))]),
    413,
    { anyone: [413, 'closed'], sequence: [413, 200] },
  ],
  [
    'JSON bodies, one behind the other',
    Buffer.concat(Array.from({ length: 20 }, () => json('/things', '{"name":"a"}'))),
    200,
    { sequence: Array.from({ length: 20 }, () => 200), anyone: [200] },
  ],
  ['A request behind a stream', `${get('/stream')}${get('/health')}`, 200, { sequence: [200, 200], anyone: [200] }],
  [
    'A request behind HEAD',
    `${ask('HEAD', '/health')}${ask('HEAD', '/stream')}`,
    200,
    { sequence: [200, 200], head: true, anyone: [200] },
  ],
]

/** Complains when a server that refuses a body asks for it first. */
const unasked = ({ interim, answers: [answer] }: Seen): string | undefined =>
  answer !== undefined && answer.status >= 400 && interim.includes(100)
    ? 'it asks for a body that it refuses unread'
    : undefined

const held = (length: string, expect: string): string =>
  ask('PUT', '/text', { 'Content-Type': 'text/plain', 'Content-Length': length, Expect: expect })
const expecting: readonly Row[] = [
  ['A client that waits to be told to go on', [held('3', '100-continue'), { wait: 30 }, 'abc'], 200],
  ['A client that does not wait', `${held('3', '100-continue')}abc`, 200],
  [
    'A client that waits with a body that is too large',
    held('99999999', '100-continue'),
    413,
    { anyone: [413, 417, 'closed'], own: unasked },
  ],
  [
    'A client that waits for a path that leads nowhere',
    ask('PUT', '/nothing', { 'Content-Length': '3', Expect: '100-continue' }),
    404,
    { anyone: [404, 415, 417], own: unasked },
  ],
  ['An expectation in capitals', [held('3', '100-CONTINUE'), { wait: 30 }, 'abc'], [200, 417]],
  ['An expectation that nobody knows', held('3', 'the-impossible'), 417, { anyone: [417, 400] }],
  ['Two expectations', `${held('3', '100-continue, 200-ok')}abc`, [200, 417]],
  ['An expectation without a body', get('/health', { Expect: '100-continue' }), [200, 417]],
  ['A client that waits and then never sends', held('3', '100-continue'), LATE, slow],
]

/** Slow clients. */
export const slowness = group('SLW', 'slow clients', waiting)
/** Clients that leave, pipelines and expectations. */
export const connections = group('CON', 'aborts, pipelines, expectations', [...leaving, ...pipelined, ...expecting])
