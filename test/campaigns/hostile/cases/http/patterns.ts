// Texts that make careless patterns slow: in captures, parameters, headers, formats and dates.
import { group, type Row } from '../../case.ts'
import { get, json, send } from '../../requests.ts'

const REFUSED = [400, 404, 414] as const
const params: readonly (readonly [string, string, string])[] = [
  ['slug', `${'a'.repeat(10_000)}!`, 'Ten thousand letters and a sign'],
  ['slug', `${'a-'.repeat(5000)}!`, 'Five thousand letters with dashes and a sign'],
  ['slug', `${'a'.repeat(63)}!`, 'As many letters as are allowed, and a sign'],
  ['email', `${'a'.repeat(10_000)}@`, 'An address of ten thousand letters'],
  ['email', `${'a.'.repeat(5000)}@b`, 'An address of five thousand dots'],
  ['email', `a@${'b.'.repeat(5000)}!`, 'A domain of five thousand dots'],
  ['email', `a@${'b-'.repeat(5000)}.c!`, 'A domain of five thousand dashes'],
  ['email', `${'"'.repeat(5000)}@b.c`, 'An address of five thousand quotes'],
  ['email', `${'@'.repeat(10_000)}`, 'Ten thousand at signs'],
  ['site', `http://${'a.'.repeat(5000)}!`, 'A host of five thousand dots'],
  ['site', `${'a:'.repeat(5000)}`, 'Five thousand schemes'],
  ['site', `http://${'%'.repeat(10_000)}`, 'Ten thousand percent signs in an address'],
  ['site', `http://a/${'/'.repeat(10_000)}\t`, 'Ten thousand slashes in an address'],
  ['uuid', `${'a'.repeat(10_000)}`, 'A uuid of ten thousand letters'],
  ['uuid', `${'-'.repeat(10_000)}`, 'A uuid of ten thousand dashes'],
  ['at', `2023-01-01T00:00:00.${'0'.repeat(10_000)}`, 'A moment with ten thousand digits'],
  ['at', `${'2'.repeat(10_000)}-01-01T00:00:00Z`, 'A year of ten thousand digits'],
  ['at', `2023-01-01T00:00:00${'+00:00'.repeat(1500)}`, 'A moment with many offsets'],
  ['day', `${'0'.repeat(10_000)}`, 'A day of ten thousand digits'],
  ['time', `12:00:00.${'1'.repeat(10_000)}x`, 'A time with ten thousand digits'],
  ['count', `${'0'.repeat(10_000)}x`, 'An integer of ten thousand zeros'],
  ['count', `${' '.repeat(10_000)}1`, 'An integer behind ten thousand spaces'],
  ['ratio', `${'1'.repeat(10_000)}e`, 'A number of ten thousand digits'],
  ['ratio', `1e${'9'.repeat(10_000)}`, 'An exponent of ten thousand digits'],
  ['ratio', `0.${'0'.repeat(10_000)}1x`, 'A fraction of ten thousand digits'],
  ['big', `${'9'.repeat(10_000)}`, 'A big integer of ten thousand digits'],
  ['on', `${'t'.repeat(10_000)}`, 'A boolean of ten thousand letters'],
]

const rows: Row[] = [
  ...params.map(
    ([name, text, says]): Row => [
      `${says} for ${name}`,
      get(`/search?${name}=${encodeURIComponent(text).slice(0, 15_000)}`),
      REFUSED,
    ],
  ),
  ...[20, 30, 40, 100, 1000, 4000].map(
    (length): Row => [
      `A capture with a nested repetition and ${length} letters`,
      get(`/coded/${'a'.repeat(length)}!`),
      REFUSED,
    ],
  ),
  ['A capture with a nested repetition and dashes', get(`/coded/${'a-'.repeat(2000)}-!`), REFUSED],
  ['A capture with a nested repetition that fits', get(`/coded/${'a-'.repeat(100)}a`), 200],
  ['A header with a repetition and twelve thousand letters', get('/kept', { 'X-Kind': `${'a,'.repeat(6000)}!` }), 400],
  ['A header with a repetition and commas', get('/kept', { 'X-Kind': ','.repeat(10_000) }), 400],
  ['A header with a repetition that fits', get('/kept', { 'X-Kind': `${'a,'.repeat(100)}a` }), 200],
  ['A header that must be one text, nearly', get('/kept', { 'X-Mode': 'quiet'.repeat(2000) }), 400],
  [
    'A slug of two hundred thousand letters',
    json('/things', JSON.stringify({ name: 'a', slug: `${'a'.repeat(200_000)}!` })),
    400,
  ],
  [
    'A slug of a hundred thousand dashes',
    json('/things', JSON.stringify({ name: 'a', slug: 'a-'.repeat(100_000) })),
    400,
  ],
  [
    'An address of two hundred thousand letters',
    json('/things', JSON.stringify({ name: 'a', email: `${'a'.repeat(200_000)}@` })),
    400,
  ],
  [
    'An address of a hundred thousand dots',
    json('/things', JSON.stringify({ name: 'a', email: `a@${'b.'.repeat(100_000)}` })),
    400,
  ],
  [
    'A link of two hundred thousand letters',
    json('/things', JSON.stringify({ name: 'a', site: `a${'/'.repeat(200_000)}\u0001` })),
    400,
  ],
  [
    'A moment of two hundred thousand digits',
    json('/things', JSON.stringify({ name: 'a', at: `2023-01-01T00:00:00.${'1'.repeat(200_000)}` })),
    400,
  ],
  [
    'A number as a text of two hundred thousand digits',
    json('/things', JSON.stringify({ name: 'a', ratio: `${'1'.repeat(200_000)}x` })),
    400,
  ],
  [
    'An integer as a text of two hundred thousand digits',
    json('/things', JSON.stringify({ name: 'a', count: `${'1'.repeat(200_000)}` })),
    400,
  ],
  [
    'A text of two hundred thousand spaces',
    send('PUT /text', 'text/plain', ' '.repeat(200_000)),
    400,
    { anyone: [200, 400] },
  ],
  [
    'A text of two hundred thousand ends of lines',
    send('PUT /text', 'text/plain', '\r\n'.repeat(100_000)),
    400,
    { anyone: [200, 400] },
  ],
]

/** Patterns. */
export const patterns = group('RDS', 'slow patterns', rows)
