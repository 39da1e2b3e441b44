// Files that are read while they arrive: cut, slow, too long, compressed to burst, or not read at all.
import { gzipSync } from 'node:zlib'
import { group, type Row, type Step } from '../../case.ts'
import { ask, get, multipart, part, send } from '../../requests.ts'

const OCTETS = 'application/octet-stream'
const put = (path: string, length: number, more: Readonly<Record<string, string>> = {}): string =>
  ask('PUT', path, { 'Content-Type': OCTETS, 'Content-Length': String(length), ...more })
const chunked = (path: string): string => ask('PUT', path, { 'Content-Type': OCTETS, 'Transfer-Encoding': 'chunked' })
const gzip = { 'Content-Encoding': 'gzip' }
const TITLE = part('; name="title"', 'a')
const FILE = part('; name="file"; filename="a"', 'x'.repeat(1000), 'Content-Type: text/plain')
const CUT = [400, 'closed'] as const
const LATE = [408, 'closed'] as const
const drip = (count: number): Step[] => Array.from({ length: count }, (): Step[] => ['x', { wait: 50 }]).flat()

const rows: Row[] = [
  ['A whole file', send('PUT /stream', OCTETS, 'x'.repeat(100_000)), 200],
  ['A file of nothing', send('PUT /stream', OCTETS, ''), 400],
  ['A file of one byte more than allowed', send('PUT /stream', OCTETS, 'x'.repeat(256 * 1024 + 1)), 413],
  [
    'A file that grows beyond the limit in chunks',
    `${chunked('/stream')}${`10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(5)}0\r\n\r\n`,
    [413, 'closed'],
  ],
  ['A file that is cut', [`${put('/stream', 5000)}abc`, 'END'], CUT],
  ['A file that is cut within a chunk', [`${chunked('/stream')}ff\r\nabc`, 'END'], CUT],
  ['A file of broken chunks', `${chunked('/stream')}3\r\nabc\r\nzz\r\n`, CUT],
  ['A file whose first chunk is broken', `${chunked('/stream')}zz\r\n`, CUT],
  ['A file that stops', `${put('/stream', 5000)}abc`, LATE, { patience: 4000 }],
  ['A file that comes one byte at a time', [put('/stream', 5000), ...drip(30)], LATE, { patience: 4000 }],
  ['A client that leaves within a file', [`${put('/stream', 5000)}abc`, 'RESET'], 'closed'],
  ['A client that leaves before a file', [put('/stream', 5000), 'RESET'], 'closed'],
  ['A compressed file', send('PUT /stream', OCTETS, gzipSync('x'.repeat(1000)), gzip), 200],
  ['A compressed file that is none', send('PUT /stream', OCTETS, 'x'.repeat(1000), gzip), 400],
  ['A compressed file that is cut', send('PUT /stream', OCTETS, gzipSync('x'.repeat(1000)).subarray(0, 20), gzip), 400],
  ['A compressed file that bursts', send('PUT /stream', OCTETS, gzipSync(Buffer.alloc(50 * 1024 * 1024)), gzip), 413],
  ['A compressed file that stops', `${put('/stream', 5000, gzip)}\x1f\x8b\x08\x00`, LATE, { patience: 4000 }],
  ['A file that nobody reads', send('PUT /careless', OCTETS, 'x'.repeat(100_000)), 200],
  ['A file that nobody reads and that is cut', [`${put('/careless', 5000)}abc`, 'END'], [200, ...CUT]],
  ['A file that nobody reads and that stops', `${put('/careless', 5000)}abc`, [200], { patience: 4000 }],
  [
    'A file that nobody reads, with a request behind it',
    Buffer.concat([send('PUT /careless', OCTETS, 'x'.repeat(100_000)), Buffer.from(get('/health'))]),
    200,
    { sequence: [200, 200] },
  ],
  ['A file that nobody reads, of broken chunks', `${chunked('/careless')}3\r\nabc\r\nzz\r\n`, [200, ...CUT]],
  [
    'A file that nobody reads, of 8 MiB',
    `${chunked('/careless')}${`100000\r\n${'x'.repeat(1_048_576)}\r\n`.repeat(8)}0\r\n\r\n`,
    [200, 413, 'closed'],
  ],
  ['A file whose client waits to be asked', [put('/stream', 3, { Expect: '100-continue' }), { wait: 30 }, 'abc'], 200],
  ['A part that is a file', multipart('/upload', `${TITLE}${FILE}--b--\r\n`), 200],
  ['A part behind the file', multipart('/upload', `${FILE}${TITLE}--b--\r\n`), 400],
  ['A second file behind the file', multipart('/upload', `${TITLE}${FILE}${FILE}--b--\r\n`), 400],
  ['A file without its last boundary', multipart('/upload', `${TITLE}${FILE}`), 400],
  [
    'A part that is too large a file',
    multipart(
      '/upload',
      `${TITLE}${part('; name="file"; filename="a"', 'x'.repeat(70_000), 'Content-Type: text/plain')}--b--\r\n`,
    ),
    413,
  ],
  [
    'A part that stops within the file',
    [
      ask('POST', '/upload', { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '9000' }),
      `${TITLE}${FILE.slice(0, 300)}`,
    ],
    LATE,
    { patience: 4000 },
  ],
  [
    'A client that leaves within the part',
    [
      ask('POST', '/upload', { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '9000' }),
      `${TITLE}${FILE.slice(0, 300)}`,
      'RESET',
    ],
    'closed',
  ],
  [
    'A part that is cut within the file',
    [
      ask('POST', '/upload', { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '9000' }),
      `${TITLE}${FILE.slice(0, 300)}`,
      'END',
    ],
    CUT,
  ],
]

/** Streamed files. */
export const streams = group('STR', 'files that are read as they arrive', rows, { app: 'guarded', ours: true })
