// A megabyte of JSON, the default limit of a body: the memory that it takes is bounded, too.
import { group, type Row } from '../../case.ts'
import { json } from '../../requests.ts'

const LIMIT = 1024 * 1024
/** So many commas, colons and opening brackets are allowed in a body of that limit. */
const SIGNS = Math.floor(LIMIT / 16)

/** A list or an object of as many units as fit the limit, or of a number of them. */
function full(brackets: '[]' | '{}', unit: (i: number) => string, count = LIMIT): string {
  const units: string[] = []
  for (let i = 0, size = 2; i < count; i++) {
    const one = unit(i)
    size += one.length + 1
    if (size > LIMIT) break
    units.push(one)
  }
  return `${brackets[0]}${units.join()}${brackets[1]}`
}

const text = (i: number): string => `"${i.toString(36)}"`

const refused: readonly (readonly [string, string])[] = [
  ['empty objects', full('[]', () => '{}')],
  ['empty lists', full('[]', () => '[]')],
  ['lists in lists', full('[]', () => '[[]]')],
  ['objects', full('[]', () => '{"a":1}')],
  ['numbers', full('[]', () => '1')],
  ['fractions', full('[]', () => '1.5')],
  ['nothing', full('[]', () => 'null')],
  ['short texts', full('[]', text)],
  ['members', full('{}', (i) => `${text(i)}:1`)],
  ['opening brackets', '['.repeat(LIMIT)],
]

const allowed: readonly (readonly [string, string])[] = [
  ['empty objects', full('[]', () => '{}', SIGNS / 2)],
  ['objects', full('[]', () => '{"a":1}', SIGNS / 3)],
  ['numbers', full('[]', () => '1', SIGNS)],
  ['fractions', full('[]', () => '1.5', SIGNS)],
  ['texts', full('[]', text, SIGNS)],
  ['members', full('{}', (i) => `${text(i)}:1`, SIGNS / 2)],
]

const long: readonly (readonly [string, string])[] = [
  ['one text', `["${'a'.repeat(LIMIT - 4)}"]`],
  ['a text of escapes', `["${'\\u0041'.repeat(LIMIT / 6 - 1)}"]`],
  ['a text of escaped quotes', `["${'\\"'.repeat(LIMIT / 2 - 2)}"]`],
  ['a text of two bytes each', `["${'é'.repeat(LIMIT / 2 - 2)}"]`],
]

const rows: Row[] = ['/anything', '/numbers', '/texts'].flatMap((path) => [
  ...refused.map(([what, body]): Row => [`A megabyte of ${what} for ${path}`, json(path, body), 400]),
  ...allowed.map(([what, body]): Row => [`As many ${what} as are allowed for ${path}`, json(path, body), [200, 400]]),
  ...long.map(([what, body]): Row => [`A megabyte of ${what} for ${path}`, json(path, body), [200, 400]]),
])

/** Bodies as long as they may be. */
export const megabytes = group('MEG', 'a megabyte of JSON', rows, { app: 'guarded', ours: true })
