// Values: the odd spellings of numbers, booleans, dates and texts, in queries, captures, headers and JSON.
import { group, type Row } from '../../case.ts'
import { get, json } from '../../requests.ts'

const wrong: Readonly<Record<string, readonly string[]>> = {
  count: [
    ...['', ' ', '1 ', ' 1', '1e2', '1E2', '0x10', '0b1', '0o7', '010', '1_000', '1,000', '1.0', '1.5', '.5', '5.'],
    ...[
      '+1',
      '-0',
      '--1',
      '1-',
      'NaN',
      'Infinity',
      '-Infinity',
      '1n',
      'null',
      'undefined',
      'true',
      '[]',
      '{}',
      '1001',
      '-1',
    ],
    ...[
      '9007199254740992',
      '99999999999999999999',
      '1e400',
      '٣',
      '１',
      '²',
      '1\u00a0',
      '\ufeff1',
      '1\n',
      '\t1',
      '1/2',
      '½',
    ],
  ],
  ratio: [
    '',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '1e',
    'e1',
    '.',
    '0x1',
    '1,5',
    '1.5.5',
    '--1',
    '1e1.5',
    '１.５',
    '1 2',
  ],
  big: ['', '1.0', '1e3', '0x1f', '1n', '+1', '--1', ' 1', `${'9'.repeat(1001)}`, 'NaN', '1_0', '１'],
  on: ['', 'yes', 'no', 'on', 'off', 'TrUe', 'truee', ' true', '2', '-1', 'null', 'y', 'undefined'],
  day: [
    ...[
      '',
      '2023-02-29',
      '2023-13-01',
      '2023-00-10',
      '2023-01-00',
      '2023-1-1',
      '23-01-01',
      '02023-01-01',
      '+2023-01-01',
    ],
    ...[
      '2023-01-01T00:00:00Z',
      '20230101',
      '2023/01/01',
      '2023-01-32',
      '0000-00-00',
      '-000001-01-01',
      '２０２３-01-01',
      'today',
    ],
  ],
  at: [
    ...[
      '',
      '2023-01-01',
      '2023-01-01T00:00:00',
      '2023-01-01 00:00:00Z',
      '2023-02-29T00:00:00Z',
      '2023-01-01T24:00:01Z',
    ],
    ...[
      '2023-01-01T25:00:00Z',
      '2023-01-01T00:60:00Z',
      '2023-01-01T00:00:61Z',
      '2023-01-01T00:00:00+99:00',
      '1672531200',
    ],
    ...[
      '2023-01-01T00:00Z',
      '2023-01-01T00:00:00.Z',
      '+275760-09-13T00:00:01Z',
      '2023-01-01T00:00:00GMT',
      'now',
      '99999999999999',
    ],
  ],
  time: ['', '24:01', '12:60', '12', '1:2', '12:00:60.5', '-1:00', '12:00 PM', '12:00:00Z'],
  slug: ['', '-a', 'a-', 'a--b', 'A', 'a_b', 'a\n', 'a\u2028', 'é', 'a'.repeat(65)],
  email: [
    '',
    'a',
    '@',
    'a@',
    '@b.c',
    'a@b@c.d',
    'a b@c.d',
    'a@b.c\r\nBcc: x@y.z',
    `${'a'.repeat(300)}@b.c`,
    'a@-b.c',
    '"<script>"@b.c',
  ],
  site: ['', 'a', '//a', 'http//a', 'http:// a', 'ht tp://a', '\u0000http://a', 'http://[', 'http://a\\b'],
  uuid: [
    '',
    '1',
    '6a1f5c1e6f434c1b9d4e1f0f3a2b7c01',
    '{6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c01}',
    '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c0g',
  ],
}

const queryRows = Object.entries(wrong).flatMap(([name, texts]) =>
  texts.map(
    (text): Row => [`The parameter ${name} as ${shown(text)}`, get(`/search?${name}=${encodeURIComponent(text)}`), 400],
  ),
)

const inJson: readonly (readonly [string, string])[] = [
  ['count', '1.5'],
  ['count', '-1'],
  ['count', '1e3000'],
  ['count', '-1e3000'],
  ['count', 'null'],
  ['count', '[]'],
  ['count', '[1]'],
  ['count', '{}'],
  ['count', '""'],
  ['count', '"1e2"'],
  ['count', '{"valueOf":1}'],
  ['count', '9007199254740993'],
  ['ratio', '1e309'],
  ['ratio', '"NaN"'],
  ['ratio', '[1.5]'],
  ['big', '9007199254740993'],
  ['big', '1.5'],
  ['big', '"1.0"'],
  ['on', '2'],
  ['on', '"yes"'],
  ['on', '[]'],
  ['on', 'null'],
  ['on', '""'],
  ['day', '20230101'],
  ['day', '"2023-02-30"'],
  ['day', 'null'],
  ['at', '0'],
  ['at', '1672531200000'],
  ['at', '"2023-02-30T00:00:00Z"'],
  ['at', '{}'],
  ['tags', '"a"'],
  ['tags', '{}'],
  ['tags', '[[]]'],
  ['tags', '[null]'],
  ['tags', '[1]'],
  ['tags', '{"0":"a","length":1}'],
  ['author', '[]'],
  ['author', '"a"'],
  ['author', '{"id":null}'],
  ['author', '{"id":1,"x":1}'],
  ['labels', '[]'],
  ['labels', '{"a":null}'],
  ['labels', '{"a":"x"}'],
  ['name', 'null'],
  ['name', '1'],
  ['name', '[]'],
  ['name', '["a"]'],
  ['name', '{"length":1}'],
  ['name', 'true'],
  ['slug', '{"test":1}'],
  ['email', '["a@b.c"]'],
]

const jsonRows = inJson.map(
  ([name, text]): Row => [
    `The attribute ${name} as ${text}`,
    json('/things', `{"name":"a",${JSON.stringify(name)}:${text}}`),
    400,
  ],
)

const rows: Row[] = [
  ...queryRows,
  ...jsonRows,
  ...['0', '-1', '1.0', '1e1', '0x1', '%31%20', '9'.repeat(30), 'NaN', '1;2', '1,2', 'null', '%D9%A3'].map(
    (text): Row => [
      `A capture that must be a positive integer as ${text}`,
      get(`/items/${text}`),
      400,
      { anyone: [200, 400, 404] },
    ],
  ),
  ...['', '1.5', '0x1', '1, 2', 'NaN', '1e2', '+1', '99999999999999999999'].map(
    (text): Row => [`A header that must be an integer as ${shown(text)}`, get('/kept', { 'X-Count': text }), 400],
  ),
]

function shown(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 12)}… of ${text.length} characters` : text
  return text === '' ? 'nothing' : JSON.stringify(short)
}

/** Values. */
export const values = group('VAL', 'numbers, booleans, dates, texts', rows)
