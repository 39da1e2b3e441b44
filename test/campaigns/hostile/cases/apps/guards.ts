// Credentials that are forged, broken, doubled or too long; none of them opens a door.
import { valuesOf } from '../../answers.ts'
import { group, type Row } from '../../case.ts'
import { get, json } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

const card = (value: string): string => get('/card', { Authorization: value })
const door = (text: string): string =>
  get('/door', { Authorization: `Basic ${Buffer.from(text, 'latin1').toString('base64')}` })

/** Complains when a refusal does not say how to come in (RFC 9110, section 15.5.2). */
const challenged = ({ answers: [answer] }: Seen): string | undefined =>
  answer?.status === 401 && valuesOf(answer, 'www-authenticate').length === 0
    ? 'it does not say how to come in'
    : undefined

const closed: readonly (readonly [string, string | Buffer])[] = [
  ['No credentials', get('/card')],
  ['Empty credentials', card('')],
  ['A scheme without a token', card('Bearer')],
  ['A scheme and spaces', card(`Bearer${' '.repeat(12_000)}`)],
  ['A token behind twelve thousand spaces', card(`Bearer${' '.repeat(12_000)}wrong`)],
  ['A token before twelve thousand spaces and another', card(`Bearer wrong${' '.repeat(12_000)}open`)],
  ['The right token with another behind it', card('Bearer open open')],
  ['The right token with a comma behind it', card('Bearer open,')],
  ['The right token in quotes', card('Bearer "open"')],
  ['The right token in capitals', card('Bearer OPEN')],
  ['The right token with NUL, escaped', card('Bearer open%00')],
  ['The right token of another scheme', card('Basic open')],
  ['The right token without a scheme', card('open')],
  ['The right token with a tab', card('Bearer\topen')],
  ['A token of twelve thousand letters', card(`Bearer ${'a'.repeat(12_000)}`)],
  ['A built-in property as a token', card('Bearer __proto__')],
  ['A scheme of twelve thousand signs', card(`${'!'.repeat(12_000)} open`)],
  ['A token of other bytes', card('Bearer \xff\xfe')],
  ['A user without a colon', door('adaopen')],
  ['An empty user', door(':open')],
  ['An empty password', door('ada:')],
  ['A user and password that are no UTF-8', door('ada:\xff')],
  ['A user with NUL', door('ada\0:open')],
  ['A password with an end of line', door('ada:open\r\n')],
  ['A password with a colon behind it', door('ada:open:')],
  ['Base64 that is none', get('/door', { Authorization: 'Basic !!!!' })],
  ['Base64 that is cut', get('/door', { Authorization: 'Basic YWRhO' })],
  ['Base64 of twelve thousand letters', get('/door', { Authorization: `Basic ${'A'.repeat(12_000)}` })],
  ['An empty key', get('/key', { 'X-Key': '' })],
  ['A key in the query where a header is asked', get('/key?X-Key=open')],
  ['A cookie of another name', get('/crumb', { Cookie: 'crumbs=open' })],
  ['A cookie in quotes', get('/crumb', { Cookie: 'crumb="open"' })],
  ['Five thousand cookies', get('/crumb', { Cookie: 'a;'.repeat(5000) })],
  ['A cookie of equals signs', get('/crumb', { Cookie: `crumb${'='.repeat(5000)}` })],
  ['A ticket with brackets', get('/ticket?ticket[]=open')],
  ['A ticket that cannot be decoded', get('/ticket?ticket=%zz')],
  ['A body without credentials is not read', json('/write', '{')],
  ['A body of 250 KiB without credentials', json('/write', JSON.stringify({ text: 'a'.repeat(250_000) }))],
]

const doubled: readonly (readonly [string, string])[] = [
  [
    'Two headers with credentials',
    'GET /card HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer wrong\r\nAuthorization: Bearer open\r\n\r\n',
  ],
  [
    'Two headers with credentials, the right ones first',
    'GET /card HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer open\r\nauthorization: Bearer wrong\r\n\r\n',
  ],
  [
    'Two headers with credentials of two schemes',
    'GET /card HTTP/1.1\r\nHost: a\r\nAUTHORIZATION: Bearer open\r\nX-A: b\r\nAuthorization: Basic YWRhOm9wZW4=\r\n\r\n',
  ],
  [
    'The right credentials and an empty header',
    'GET /door HTTP/1.1\r\nHost: a\r\nAuthorization: Basic YWRhOm9wZW4=\r\nAuthorization:\r\n\r\n',
  ],
  ['Two keys', 'GET /key HTTP/1.1\r\nHost: a\r\nX-Key: wrong\r\nX-Key: open\r\n\r\n'],
  ['Two keys that are equal', 'GET /key HTTP/1.1\r\nHost: a\r\nX-Key: open\r\nx-KEY: open\r\n\r\n'],
  ['A cookie behind a wrong one of the same name', get('/crumb', { Cookie: 'crumb=wrong; crumb=open' })],
  ['A cookie before a wrong one of the same name', get('/crumb', { Cookie: 'crumb=open;crumb=wrong' })],
  [
    'Two headers with one cookie each',
    'GET /crumb HTTP/1.1\r\nHost: a\r\nCookie: crumb=open\r\nCookie: crumb=wrong\r\n\r\n',
  ],
  ['A ticket behind a wrong one', get('/ticket?ticket=wrong&ticket=open')],
  ['A ticket before a wrong one', get('/ticket?ticket=open&ticket=wrong')],
  ['A ticket before one whose name is encoded', get('/ticket?ticket=open&tick%65t=wrong')],
]

/** Complains when an answer that needed credentials may be kept for others (RFC 9111, section 5.2.2). */
const unkept = ({ answers: [answer] }: Seen): string | undefined =>
  answer !== undefined && !valuesOf(answer, 'cache-control').join().includes('no-store')
    ? 'it may be kept for others'
    : undefined

const rows: Row[] = [
  ...closed.map(([says, sent]): Row => [says, sent, 401, { safe: challenged }]),
  ...doubled.map(([says, sent]): Row => [says, sent, 400]),
  ['The right token', card('Bearer open'), 200],
  ['The right token, its scheme in capitals', card('BEARER open'), 200],
  ['The right user and password', door('ada:open'), 200],
  ['The right cookie', get('/crumb', { Cookie: 'a=b; crumb=open; c=d' }), 200],
]

/** Credentials. */
export const guards = group('SEC', 'credentials', rows, { app: 'guarded', ours: true, own: unkept })
