// Percent-encoding in paths and queries: invalid, overlong, doubled, of signs that mean something.
import { group, type Row } from '../../case.ts'
import { get, utf8 } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

/** Complains unless the answer, where it is a success, repeats exactly this text. */
const repeats =
  (text: string) =>
  ({ answers: [answer] }: Seen): string | undefined => {
    if (answer?.status !== 200) return undefined
    const { text: seen, name = seen } = JSON.parse(answer.body.toString()) as { text?: string; name?: string }
    return name === text ? undefined : `the server understood ${JSON.stringify(name)}`
  }

const invalid: readonly (readonly [string, string])[] = [
  ['%', 'A lone percent sign'],
  ['%4', 'An escape of one digit'],
  ['%zz', 'An escape of letters that are no digits'],
  ['%u0041', 'The escapes of old scripts'],
  ['%C3', 'The first half of a character'],
  ['%C3%28', 'A character broken in its second byte'],
  ['%80', 'A byte that only continues'],
  ['%C0%AF', 'An overlong slash of two bytes'],
  ['%E0%80%AF', 'An overlong slash of three bytes'],
  ['%F0%80%80%AF', 'An overlong slash of four bytes'],
  ['%C1%9C', 'An overlong backslash'],
  ['%C0%80', 'An overlong NUL'],
  ['%ED%A0%80', 'A high surrogate in UTF-8'],
  ['%ED%BF%BF', 'A low surrogate in UTF-8'],
  ['%F4%90%80%80', 'A character beyond the last one'],
  ['%F8%88%80%80%80', 'A character of five bytes'],
  ['%FE', 'A byte that UTF-8 does not have'],
  ['%FF%FE', 'A byte order mark of UTF-16'],
  ['%F0%9F%98', 'Three of four bytes'],
  ['%E2%82', 'Two of three bytes'],
]

const valid: readonly (readonly [string, string, string])[] = [
  ['%2561', '%61', 'An escaped escape, which is decoded once'],
  ['%252e%252e', '%2e%2e', 'Dots that are escaped twice'],
  ['%25252F', '%252F', 'A slash that is escaped three times'],
  ['a%2Fb', 'a/b', 'An escaped slash'],
  ['a%5Cb', 'a\\b', 'An escaped backslash'],
  ['%3F', '?', 'An escaped question mark'],
  ['%23', '#', 'An escaped hash'],
  ['%26a%3Db', '&a=b', 'Escaped signs of a query'],
  ['%C3%a9', 'é', 'Digits of either case'],
  ['%F0%9F%98%80', '😀', 'A character of four bytes'],
  ['%EF%BB%BFa', '\ufeffa', 'An escaped byte order mark'],
  ['%E2%80%AE', '\u202e', 'A sign that turns the direction of text'],
  ['%EF%BF%BE', '\ufffe', 'A code point that is no character'],
  ['%0D%0A', '\r\n', 'An escaped end of line'],
  ['%7F', '\x7f', 'An escaped delete sign'],
  ['%1B%5B31m', '\u001b[31m', 'An escape sequence of terminals'],
]

const rows: Row[] = [
  ...invalid.map(([text, says]): Row => [`${says} in a capture`, get(`/echo/${text}`), 400]),
  ...invalid.map(([text, says]): Row => [`${says} in a query`, get(`/search?name=${text}`), 400]),
  ...valid.map(
    ([text, meant, says]): Row => [
      `${says} in a capture means what it says`,
      get(`/echo/${text}`),
      200,
      { own: repeats(meant) },
    ],
  ),
  ...valid.map(
    ([text, meant, says]): Row => [
      `${says} in a query means what it says`,
      get(`/search?name=${text}`),
      200,
      { own: repeats(meant) },
    ],
  ),
  ['NUL in a capture', get('/echo/a%00b'), 400],
  ['NUL in a query', get('/search?name=a%00b'), 400],
  ['NUL in the name of a parameter', get('/search?na%00me=a'), 400],
  ['NUL in a wildcard', get('/files/a.txt%00.png'), [400, 404]],
  ['An invalid escape in the name of a parameter', get('/search?%zz=1'), 400],
  ['An invalid escape in a path that leads nowhere', get('/nothing/%zz'), [400, 404]],
  ['An escape in a fixed part of a path', get('/%68ealth'), [200, 404]],
  ['An escaped slash in a fixed part of a path', get('/items%2F1'), 404],
  ['Raw UTF-8 in a path', get(utf8('/echo/é')), [200, 400]],
  ['Raw bytes in a path that are no UTF-8', get('/echo/\xff\xfe'), [200, 400]],
  ['Raw bytes in a query that are no UTF-8', get('/search?name=\xff\xfe'), [200, 400]],
  ['A plus sign in a capture is a plus sign', get('/echo/a+b'), 200, { own: repeats('a+b') }],
  ['A plus sign in a query is a space', get('/search?name=a+b'), 200, { own: repeats('a b') }],
  ['A thousand escapes of nothing', get(`/search?name=${'%'.repeat(1000)}`), 400],
  ['A thousand broken characters', get(`/echo/${'%C3'.repeat(1000)}`), 400],
]

/** Percent-encoding. */
export const percent = group('PCT', 'percent-encoding', rows)
