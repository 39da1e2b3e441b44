// The workloads: what is asked, and what every contestant must answer before anything is timed. S5, lists from databases,
// is in the folder lists.
import { makeArticles } from './articles.js'
import { large } from './large/workloads.js'
import { shapes } from './shapes/workloads.js'
import { get, json, jsonOfArticles, send, sendBytes, workload } from './workload.js'

/** @typedef {import('./workload.js').Workload} Workload */
/** @typedef {import('./workload.js').Answer} Answer */

const blog = {
  title: 'Rivers and how to cross them',
  kind: 'company',
  tags: ['travel', 'water', 'engineering', 'history'],
  rating: 4.5,
  published: true,
  author: {
    id: 17,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    address: { street: '12 St James Square', city: 'London', zip: 'SW1Y 4JH' },
  },
  links: [
    { rel: 'source', href: 'https://example.com/sources/rivers', weight: 3 },
    { rel: 'cover', href: 'https://example.com/covers/rivers.png', weight: 1 },
  ],
  summary:
    'A long walk along seven rivers, the bridges over them, and the people who built each of them. With maps, and a few songs.',
}
const shown = {
  blog_id: 42,
  id: 7,
  author: 3,
  tags: ['a', 'b'],
  limit: 20,
  order: 'title',
  draft: false,
  trace: '0af7651916cd43dd',
}
const invalid = {
  ...blog,
  title: undefined,
  kind: 'other',
  rating: 9,
  author: { ...blog.author, id: 'x' },
  links: [blog.links[0], { rel: 'cover', weight: 1 }],
}
/** Where the invalid body is wrong; libraries differ in how they write a place, so that signs may stand between its steps. */
const MISTAKES = {
  title: /\btitle\b/,
  kind: /\bkind\b/,
  rating: /\brating\b/,
  'author.id': /\bauthor\W{1,20}id\b/,
  'links[1].href': /\blinks\W{1,20}1\b[\s\S]{0,160}?\bhref\b/,
}
const AUTHORIZED = 'Authorization: Bearer abc'
const FILE_SIZE = 10 * 1024 * 1024

/** @type {Workload[]} */
const single = [
  workload('S1', 'static', 'Static text', {
    request: get('/ping'),
    check: ({ body }) => (body === 'pong' ? undefined : 'the body is not "pong"'),
  }),
  workload('S2', 'params', 'GET with coerced params, nested query, headers', {
    request: get(
      '/blogs/42/posts/7?author[id]=3&tags[]=a&tags[]=b&limit=20&order=title',
      AUTHORIZED,
      `X-Trace: ${shown.trace}`,
    ),
    check: (answer) => json(answer, shown),
    refusals: [
      { what: 'a capture that is not an integer', request: get('/blogs/x/posts/7', AUTHORIZED) },
      { what: 'author[id] that is not an integer', request: get('/blogs/42/posts/7?author[id]=x', AUTHORIZED) },
      { what: 'limit above 100', request: get('/blogs/42/posts/7?limit=1000', AUTHORIZED) },
      { what: 'a request without Authorization', request: get('/blogs/42/posts/7') },
      { what: 'X-Trace that does not match', request: get('/blogs/42/posts/7', AUTHORIZED, 'X-Trace: !!!') },
    ],
  }),
  workload('S3', 'post', 'POST of 600 bytes of JSON, validated', {
    request: post(blog),
    status: 201,
    check: (answer) =>
      /\nlocation: \/blogs\/1\r/i.test(answer.headers)
        ? json(answer, { id: 1, ...blog, pinned: false })
        : 'there is no "Location: /blogs/1"',
    refusals: [
      { what: 'a body without title', request: post({ ...blog, title: undefined }) },
      { what: 'another kind', request: post({ ...blog, kind: 'other' }) },
      { what: 'author.id "x"', request: post({ ...blog, author: { ...blog.author, id: 'x' } }) },
      { what: 'a link without href', request: post({ ...blog, links: [{ rel: 'source' }] }) },
      { what: 'malformed JSON', request: post('{"title":') },
    ],
  }),
  workload('S4', 'list', 'List of 100 objects with 10 fields', {
    request: get('/articles'),
    check: (answer, strict) => jsonOfArticles(answer, strict, makeArticles()),
    warmup: 2000,
  }),
  workload('S6', 'missing', 'Path that does not exist', {
    request: get('/nothing/here'),
    status: 404,
    check: (answer) => json(answer),
  }),
  workload('S7', 'invalid', 'POST of JSON with five mistakes', {
    request: post(invalid),
    status: 400,
    check: checkMistakes,
    without: ['node-bare'],
  }),
  workload('S8', 'routes', 'GET among 1,000 more routes', {
    request: get('/r537/12/items/7'),
    check: (answer) => json(answer, { route: 537, id: 12, item: 7 }),
    env: { ROUTES: '1000' },
    refusals: [
      { what: 'an id that is not an integer', request: get('/r999/x/items/7') },
      { what: 'an item below 1', request: get('/r0/12/items/0') },
    ],
  }),
  workload('S9', 'upload', 'Upload of 10 MB', {
    request: upload({ title: 'Rivers', size: FILE_SIZE }),
    status: 201,
    check: (answer) => json(answer, { title: 'Rivers', size: FILE_SIZE, type: 'application/octet-stream' }),
    refusals: [{ what: 'an upload without title', request: upload({ size: 100 }) }],
    warmup: 24,
    connections: 4,
  }),
  ...shapes,
  ...large,
]
/** Those whose requests a connection can mix: not the one with a process of its own, nor bodies of another size. */
const mixed = single.filter(({ id }) => id !== 'S8' && id !== 'S9')

/** All of them; the last one mixes the requests of the others, whose answers are checked there. */
export const workloads = [
  ...single,
  workload('S17', 'mix', 'All of these but S8 and S9 in turn', {
    asks: mixed.flatMap(({ asks }) => asks),
    check: () => undefined,
    warmup: 20_000,
    without: [...new Set(mixed.flatMap(({ without }) => without))],
  }),
]

/** @param {unknown} body */
function post(body) {
  return send('POST', '/blogs', body)
}

/** @param {{ title?: string, size: number }} parts */
function upload({ title, size }) {
  const boundary = '----edict-bench-7f3a91c5d2e8'
  const field =
    title === undefined ? '' : `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\n${title}\r\n`
  const head = `${field}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="rivers.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), noise(size), Buffer.from(`\r\n--${boundary}--\r\n`)])
  return sendBytes('POST /uploads', `multipart/form-data; boundary=${boundary}`, body)
}

/**
 * Bytes without a pattern, the same in every run: as in a compressed file, every value comes up.
 * @param {number} size
 */
function noise(size) {
  const bytes = Buffer.alloc(size)
  let state = 0x9e3779b9
  for (let i = 0; i < size; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    bytes[i] = state & 0xff
  }
  return bytes
}

/** @param {Answer} answer */
function checkMistakes(answer) {
  // Some libraries put JSON into a text of their JSON: what it escapes does not matter here.
  const text = answer.body.replaceAll(/\\+["nrt]?/g, ' ')
  const unnamed = Object.keys(MISTAKES).filter((place) => !MISTAKES[place].test(text))
  if (unnamed.length > 0) return `the body does not name ${unnamed.join(', ')}`
  const words = text.split(/[^a-z]+/i).filter((word) => word.length > 1).length
  const fewest = Object.keys(MISTAKES).length * 4
  return words < fewest ? 'the body does not say what is wrong with each' : json(answer)
}
