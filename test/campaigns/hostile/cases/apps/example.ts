// The example API beyond its lists: what is written, where a database stands behind it.
import { group, type Row } from '../../case.ts'
import { ask, get, json, multipart, part, send } from '../../requests.ts'

const ADA = { Authorization: 'Bearer ada-secret' }
const blog = (attributes: string): Buffer =>
  json('/api/v1.0/blogs?dry_run=true', `{"title":"a","handle":"a","kind":"personal"${attributes}}`, ADA)
const post = (text: string): Buffer => json('/api/v1.0/blogs/1/posts', text, ADA)
const comments = '/api/v1.0/blogs/1/posts/note-g/comments'
const thread = (depth: number): string =>
  `{"id":"6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c01","author_name":"a","text":"b","written_at":"2024-01-01T00:00:00Z","replies":[`.repeat(
    depth,
  )

const rows: Row[] = [
  ['A token that is a statement', ask('GET', '/api/authors/me', { Authorization: "Bearer ' or 1=1 --" }), 401],
  [
    'A token of ten thousand letters',
    ask('GET', '/api/authors/me', { Authorization: `Bearer ${'a'.repeat(10_000)}` }),
    401,
  ],
  ['A token of other bytes', ask('GET', '/api/authors/me', { Authorization: 'Bearer \xff\xfe' }), 401],
  ['No token', get('/api/authors/me'), 401],
  ['An id beyond what the database counts', get('/api/v1.0/blogs/9007199254740991'), 404],
  ['An id of nothing', get('/api/v1.0/blogs/'), [200, 400, 404]],
  ['A negative id', get('/api/v1.0/blogs/-1'), [400, 404]],
  ['A handle that is a statement', get("/api/v1.0/blogs/@a'%20or%201=1"), [400, 404]],
  ['A slug that is a statement', get("/api/v1.0/blogs/1/posts/x'%3B%20drop%20table%20posts"), [400, 404]],
  ['A slug with NUL', get('/api/v1.0/blogs/1/posts/a%00b'), [400, 404]],
  ['A month that does not exist', get('/api/v1.0/blogs/1/posts/archive/2024-13'), [400, 404]],
  ['A year of other digits', get('/api/v1.0/blogs/1/posts/archive/%D9%A2024-01'), [400, 404]],
  ['A moment far away', get('/api/v1.0/blogs/1/posts?published[after]=9999-12-31T23:59:59Z'), [200, 400]],
  ['A moment long ago', get('/api/v1.0/blogs/1/posts?published[before]=0000-01-01T00:00:00Z'), [200, 400]],
  [
    'A hundred slugs',
    get(`/api/v1.0/blogs/1/posts?${Array.from({ length: 100 }, (_, i) => `slugs[]=a${i}`).join('&')}`),
    200,
  ],
  [
    'A hundred and one slugs',
    get(`/api/v1.0/blogs/1/posts?${Array.from({ length: 101 }, (_, i) => `slugs[]=a${i}`).join('&')}`),
    400,
  ],
  ['A colour that is none', blog(',"theme":{"accent":"red","dark":true}'), 400],
  [
    'A theme with a prototype',
    blog(',"theme":{"accent":"#aaaaaa","dark":true,"__proto__":{"polluted":1}}'),
    [200, 400],
  ],
  ['Links with a prototype', blog(',"links":{"__proto__":"https://a.invalid"}'), 400],
  ['Links that are scripts', blog(',"links":{"a":"javascript:alert(1)"}'), [200, 400]],
  ['Settings with a prototype', blog(',"settings":{"__proto__":{"polluted":1}}'), [200, 400]],
  ['Settings of sixty levels', blog(`,"settings":${'['.repeat(60)}${']'.repeat(60)}`), 200],
  ['Settings of seventy levels', blog(`,"settings":${'['.repeat(70)}${']'.repeat(70)}`), 400],
  ['Tags with NUL', blog(',"tags":["a\\u0000"]'), 400],
  ['Tags that are lone surrogates', blog(',"tags":["\\ud800"]'), 400],
  ['Eleven tags', blog(`,"tags":[${Array.from({ length: 11 }, (_, i) => `"a${i}"`).join()}]`), 400],
  ['A kind that is a built-in property', blog(',"kind":"__proto__"'), 400],
  ['A block of an unknown type', post('{"title":"a","slug":"a","blocks":[{"type":"__proto__"}]}'), 400],
  ['A block whose type is a list', post('{"title":"a","slug":"a","blocks":[{"type":["text"],"text":"a"}]}'), 400],
  ['A block without a type', post('{"title":"a","slug":"a","blocks":[{"text":"a"}]}'), 400],
  [
    'A hundred and one blocks',
    post(
      `{"title":"a","slug":"a","blocks":[${Array.from({ length: 101 }, () => '{"type":"text","text":"a"}').join()}]}`,
    ),
    400,
  ],
  [
    'A delay before the post that is no number',
    send('POST /api/v1.0/blogs/1/posts', 'application/json', '{}', { ...ADA, 'X-Publish-Delay': '1e9' }),
    400,
  ],
  [
    'A post moved to a place that is no address',
    json('/api/v1.0/blogs/1/posts/note-g/move', '{"blog":"/blogs/%zz"}', ADA),
    422,
  ],
  [
    'A post moved to a built-in property',
    json('/api/v1.0/blogs/1/posts/note-g/move', '{"blog":"__proto__"}', ADA),
    422,
  ],
  [
    'A post moved to an address of ten thousand slashes',
    json('/api/v1.0/blogs/1/posts/note-g/move', JSON.stringify({ blog: '/'.repeat(10_000) }), ADA),
    422,
  ],
  [
    'An address of mail with an end of line',
    json('/api/v1.0/blogs/1/subscriptions', '{"email":"a@b.c\\r\\nBcc: x@y.z"}'),
    400,
  ],
  ['A comment whose parent is no id', json(comments, '{"author_name":"a","text":"b","reply_to":"x"}'), 400],
  ['A comment of markup', json(comments, '{"author_name":"<script>","text":"<img onerror=alert(1)>"}'), [201, 429]],
  [
    'Comments nested a thousand times',
    send(`PUT ${comments}`, 'application/json', `[${thread(1000)}${']}'.repeat(1000)}]`, ADA),
    400,
  ],
  [
    'Comments nested thirty times',
    send(`PUT ${comments}`, 'application/json', `[${thread(30)}${']}'.repeat(30)}]`, ADA),
    [204, 409],
  ],
  ['A picture that is none', send('PUT /api/authors/1/avatar', 'image/png', 'no picture', ADA), [204, 400]],
  ['A picture that is a script', send('PUT /api/authors/1/avatar', 'text/html', '<script>', ADA), [400, 415]],
  [
    'A picture of one byte too many',
    send('PUT /api/authors/1/avatar', 'image/png', 'a'.repeat(64 * 1024 + 1), ADA),
    413,
  ],
  [
    'A cover whose name climbs',
    Buffer.from(
      multipart(
        '/api/v1.0/blogs/1/posts/note-g/cover',
        `${part('; name="alt"', 'a')}${part('; name="image"; filename="../../a.png"', 'x', 'Content-Type: image/png')}--b--\r\n`,
      )
        .toString('latin1')
        .replace('POST', 'PUT')
        .replace('\r\n', '\r\nAuthorization: Bearer ada-secret\r\n'),
      'latin1',
    ),
    [204, 400],
  ],
  [
    'A tag of a version that is a pattern',
    ask('PATCH', '/api/v1.0/blogs/1', { ...ADA, 'If-Match': `"${'f'.repeat(8000)}"`, 'Content-Length': '0' }),
    [400, 412],
  ],
  ['An asset that is private', get('/api/assets/private/plans.css'), 404],
  ['An asset that is private, with an escaped letter', get('/api/assets/%70rivate/plans.css'), 404],
  ['An asset that is private, with an escaped slash', get('/api/assets/private%2Fplans.css'), 404],
  ['An asset that is private, with a dot', get('/api/assets/./private/plans.css'), 404],
  ['An asset that is private, with dots', get('/api/assets/themes/../private/plans.css'), 404],
  ['An asset that is private, in capitals', get('/api/assets/PRIVATE/plans.css'), 404],
  ['An asset that is private, with two slashes', get('/api/assets//private/plans.css'), 404],
  [
    'What is gone, by a strange verb and with a long tail',
    ask('PROPFIND', `/api/wordpress/${'a/'.repeat(1000)}?${'a=b&'.repeat(500)}`),
    [400, 410],
  ],
  ['A feed with an id that is no number', get('/api/feeds/x.atom'), [400, 404]],
]

/** The example. */
export const example = group('BLG', 'the example API', rows, { app: 'blog', ours: true })
