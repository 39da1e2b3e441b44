// Too much of everything: targets, headers, queries and bodies at, around and beyond the limits.
import { group, type Row } from '../../case.ts'
import { ask, form, get, json, send } from '../../requests.ts'

const KIB = 1024
const long = (length: number): string => 'a'.repeat(length)
const many = (count: number, of: (index: number) => string, between: string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(between)
const headers = (count: number, length: number): string =>
  `GET /health HTTP/1.1\r\nHost: localhost\r\n${many(count, (i) => `X-${i}: ${long(length)}\r\n`, '')}\r\n`

// The system may reset a connection on which more was sent than the server wants to read.
const MORE = [400, 413, 414, 431, 'closed'] as const

const rows: Row[] = [
  ['A target of 15 KiB', get(`/search?name=${long(15 * KIB)}`), [400, 414, 431]],
  ['A target of 17 KiB', get(`/search?name=${long(17 * KIB)}`), MORE],
  ['A target of 100 KiB', get(`/search?name=${long(100 * KIB)}`), MORE],
  ['A target of 4 MiB', get(`/${long(4 * KIB * KIB)}`), MORE],
  ['A path of 15 KiB that leads nowhere', get(`/${long(15 * KIB)}`), [404, 414, 431]],
  ['A header of 15 KiB', get('/health', { 'X-Long': long(15 * KIB) }), [200, 431]],
  ['A header of 17 KiB', get('/health', { 'X-Long': long(17 * KIB) }), MORE],
  ['A header of 1 MiB', get('/health', { 'X-Long': long(KIB * KIB) }), MORE],
  ['The name of a header of 15 KiB', get('/health', { [`X-${long(15 * KIB)}`]: 'a' }), [200, 400, 431]],
  ['The name of a header of 20 KiB', get('/health', { [`X-${long(20 * KIB)}`]: 'a' }), MORE],
  ['A thousand short headers', headers(1000, 1), [200, 431]],
  ['Three thousand short headers', headers(3000, 1), [200, ...MORE]],
  ['A hundred headers of 1 KiB', headers(100, KIB), MORE],
  [
    'A thousand headers of one name',
    `GET /health HTTP/1.1\r\nHost: localhost\r\n${'X-A: b\r\n'.repeat(1000)}\r\n`,
    [200, 431],
  ],
  ['A thousand cookies', get('/health', { Cookie: many(1000, (i) => `a${i}=b`, '; ') }), [200, 431]],
  ['A header that never ends', `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${long(64 * KIB)}`, MORE],
  [
    'Headers that are only colons',
    `GET /health HTTP/1.1\r\nHost: localhost\r\n${':\r\n'.repeat(1000)}\r\n`,
    [400, 431, 'closed'],
  ],
  ['A method of 10 KiB', ask(long(10 * KIB).toUpperCase(), '/health'), [400, 'closed']],
  ['Two hundred parameters', get(`/search?${many(200, () => 'tags=a', '&')}`), 400],
  ['Two hundred and one parameters', get(`/search?${many(201, () => 'tags=a', '&')}`), 400],
  ['Five thousand parameters without names', get(`/search?${'&'.repeat(5000)}`), [200, 400]],
  ['Five thousand parameters that are only an equals sign', get(`/search?${'=&'.repeat(5000)}`), 400],
  ['Two thousand different unknown parameters', get(`/search?${many(2000, (i) => `a${i}=`, '&')}`), 400],
  ['Two hundred different unknown parameters', get(`/search?${many(200, (i) => `a${i}=`, '&')}`), 400],
  [
    'A form of ten thousand fields',
    form(
      '/things',
      many(10_000, (i) => `a${i}=1`, '&'),
    ),
    400,
  ],
  ['A form of 256 KiB in one field', form('/things', `name=${long(256 * KIB - 5)}`), 400],
  ['A body of one byte more than the limit', send('PUT /text', 'text/plain', long(256 * KIB + 1)), [413]],
  ['A body at the limit', send('PUT /text', 'text/plain', long(256 * KIB)), 400, { anyone: [200, 400, 413] }],
  ['A body of 8 MiB', send('PUT /text', 'text/plain', long(8 * KIB * KIB)), [413, 'closed']],
  [
    'A body of 8 MiB for a path that leads nowhere',
    send('PUT /nothing', 'text/plain', long(8 * KIB * KIB)),
    [404, 413, 'closed'],
  ],
  [
    'A body of 8 MiB for an action without a payload',
    send('GET /health', 'text/plain', long(8 * KIB * KIB)),
    [200, 400, 413, 'closed'],
  ],
  [
    'A body that says that it has a petabyte',
    ask('PUT', '/text', { 'Content-Type': 'text/plain', 'Content-Length': '1125899906842624' }),
    413,
  ],
  ['A JSON text of 256 KiB', json('/things', JSON.stringify({ name: long(256 * KIB - 11) })), 400],
  ['A JSON body of one byte more than the limit', json('/things', JSON.stringify({ name: long(256 * KIB - 10) })), 413],
  ['A JSON body of ten thousand unknown names', json('/things', `{${many(10_000, (i) => `"a${i}":1`, ',')}}`), 400],
  ['A JSON body whose names are 200 KiB long', json('/things', `{"${long(200 * KIB)}":1}`), 400],
  [
    'A JSON list of a hundred thousand numbers',
    json('/any', `[${'1,'.repeat(100_000)}1]`),
    400,
    { anyone: [200, 400, 413] },
  ],
  [
    'A JSON list of sixty thousand empty objects',
    json('/any', `[${'{},'.repeat(60_000)}{}]`),
    400,
    { anyone: [200, 400, 413] },
  ],
  [
    'A list of tags with a hundred thousand entries',
    json('/things', `{"name":"a","tags":[${'"",'.repeat(80_000)}""]}`),
    400,
  ],
  [
    'A hash of ten thousand names',
    json('/things', `{"name":"a","labels":{${many(10_000, (i) => `"a${i}":1`, ',')}}}`),
    [200, 400],
  ],
  [
    'A hash of ten thousand wrong values',
    json('/things', `{"name":"a","labels":{${many(10_000, (i) => `"a${i}":"x"`, ',')}}}`),
    400,
  ],
  [
    'A number of 200,000 digits',
    json('/things', `{"name":"a","count":${'9'.repeat(200_000)}}`),
    400,
    { anyone: [200, 400] },
  ],
  ['A big integer of 200,000 digits', json('/things', `{"name":"a","big":"${'9'.repeat(200_000)}"}`), 400],
  ['A fraction of 200,000 digits', json('/things', `{"name":"a","ratio":0.${'3'.repeat(200_000)}}`), [200, 400]],
]

/** Sizes. */
export const sizes = group('BIG', 'sizes', rows)
