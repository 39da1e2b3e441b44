// Bodies in chunks: sizes that lie, extensions without end, trailers, and chunks of one byte.
import { group, type Row } from '../../case.ts'
import { ask, get } from '../../requests.ts'

const HEAD = ask('POST', '/things', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })
const BODY = '{"name":"a"}'
const ONE = `c\r\n${BODY}\r\n`
const REFUSED = [400, 'closed'] as const

/** A body whose chunks are hostile; nothing but a refusal or the end of the connection is right. */
const bad = (says: string, rest: string): Row => [
  says,
  HEAD + rest,
  [400, 413, 431, 'closed'],
  { anyone: [400, 413, 431, 'closed'] },
]

const rows: Row[] = [
  bad('A size that is no number', `zz\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A negative size', `-c\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size with a sign', `+c\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size with a prefix', `0xc\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size with an underscore', `0_c\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size with a space before it', ` c\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size with a space behind it', `c \r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size that is empty', `\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size beyond 64 bits', `fffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A size of a thousand digits', `${'f'.repeat(1000)}\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A chunk that is longer than it says', `5\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A chunk without its end', `c\r\n${BODY}0\r\n\r\n`),
  bad('A size that ends with a line feed only', `c\n${BODY}\r\n0\r\n\r\n`),
  bad('A chunk that ends with a line feed only', `c\r\n${BODY}\n0\r\n\r\n`),
  bad('A carriage return in an extension', `c;a\rb\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A line feed in an extension', `c;a\nb\r\n${BODY}\r\n0\r\n\r\n`),
  bad('An extension of 100 KiB', `c;${'a'.repeat(100_000)}\r\n${BODY}\r\n0\r\n\r\n`),
  bad('A trailer that is folded', `${ONE}0\r\nX-A: b\r\n c\r\n\r\n`),
  bad('A trailer without a colon', `${ONE}0\r\nbad\r\n\r\n`),
  bad('A trailer of 100 KiB', `${ONE}0\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`),
  ['An extension with a value', `${HEAD}c;a=b;c="d"\r\n${BODY}\r\n0\r\n\r\n`, 200, { anyone: [200, 400, 'closed'] }],
  ['A size with leading zeros', `${HEAD}000000000c\r\n${BODY}\r\n0\r\n\r\n`, 200, { anyone: [200, 400, 'closed'] }],
  ['A trailer', `${HEAD}${ONE}0\r\nX-A: b\r\n\r\n`, 200, { anyone: [200, 400, 'closed'] }],
  ['A trailer that names a length', `${HEAD}${ONE}0\r\nContent-Length: 500\r\n\r\n`, [200, ...REFUSED]],
  ['A trailer that names a coding', `${HEAD}${ONE}0\r\nTransfer-Encoding: chunked\r\n\r\n`, [200, ...REFUSED]],
  ['A trailer that names a content type', `${HEAD}${ONE}0\r\nContent-Type: text/plain\r\n\r\n`, [200, ...REFUSED]],
  ['A trailer of a built-in property', `${HEAD}${ONE}0\r\n__proto__: a\r\n\r\n`, [200, ...REFUSED]],
  ['Chunks of one byte', `${HEAD}${[...BODY].map((one) => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`, 200],
  [
    'Five thousand chunks of one byte',
    `${HEAD}${'1\r\n \r\n'.repeat(5000)}${ONE}0\r\n\r\n`,
    200,
    { anyone: [200, 400, 413, 'closed'] },
  ],
  [
    'A thousand chunks with extensions',
    `${HEAD}${`1;${'a'.repeat(15)}\r\n \r\n`.repeat(1000)}${ONE}0\r\n\r\n`,
    [200, 413, ...REFUSED],
  ],
  ['A first chunk of nothing', `${HEAD}0\r\n\r\n`, 400],
  [
    'Chunks that go on after the last',
    `${HEAD}${ONE}0\r\n\r\n${ONE}0\r\n\r\n`,
    200,
    { anyone: [200, 400, 'closed'], sequence: [200, 400], linger: 60 },
  ],
  [
    'A request behind the chunks',
    `${HEAD}${ONE}0\r\n\r\n${get('/health')}`,
    200,
    { sequence: [200, 200], anyone: [200], linger: 60 },
  ],
  [
    'Chunks that grow beyond the limit',
    `${HEAD}${`10000\r\n${' '.repeat(65_536)}\r\n`.repeat(5)}0\r\n\r\n`,
    413,
    { anyone: [400, 413, 'closed'] },
  ],
  [
    'Chunks of a megabyte each, ten of them',
    `${HEAD}${`100000\r\n${' '.repeat(1_048_576)}\r\n`.repeat(10)}0\r\n\r\n`,
    [413, 'closed'],
    { anyone: [400, 413, 'closed'] },
  ],
  [
    'Chunks for an action without a payload',
    `GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${ONE}0\r\n\r\n`,
    200,
    { anyone: [200, 400, 413] },
  ],
  [
    'Broken chunks for an action without a payload',
    `GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    [200, ...REFUSED],
  ],
  [
    'Broken chunks for a path that leads nowhere',
    `POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    [404, ...REFUSED],
  ],
]

/** Chunks. */
export const chunks = group('CHK', 'chunked bodies', rows, { linger: 25 })
