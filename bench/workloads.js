// The workloads: what is asked, and what every contestant must answer before anything is timed.

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

/** @typedef {{ name: string, title: string, request: string, status: number, check: (body: string, headers: string) => boolean }} Workload */

/** @type {Workload[]} */
export const workloads = [
  {
    name: 'static',
    title: 'static text',
    request: 'GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n',
    status: 200,
    check: (body) => body === 'pong',
  },
  {
    name: 'params',
    title: 'GET with coerced params, nested query, headers',
    request:
      'GET /blogs/42/posts/7?author[id]=3&tags[]=a&tags[]=b&limit=20&order=title HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer abc\r\nX-Trace: 0af7651916cd43dd\r\n\r\n',
    status: 200,
    check: (body) =>
      body ===
      JSON.stringify({
        blog_id: 42,
        id: 7,
        author: 3,
        tags: ['a', 'b'],
        limit: 20,
        order: 'title',
        draft: false,
        trace: '0af7651916cd43dd',
      }),
  },
  {
    name: 'post',
    title: 'POST of 600 bytes, validated',
    request: post(JSON.stringify(blog)),
    status: 201,
    check: (body, headers) => {
      const answer = JSON.parse(body)
      return answer.title === blog.title && answer.pinned === false && /location: \/blogs\/1\r\n/i.test(headers)
    },
  },
]

/** @param {string} body */
function post(body) {
  return `POST /blogs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Requests that every contestant must refuse, so that nobody is fast by not looking. */
export const refusals = [
  'GET /blogs/x/posts/7 HTTP/1.1\r\nHost: localhost\r\nAuthorization: a\r\n\r\n',
  'GET /blogs/42/posts/7?author[id]=x HTTP/1.1\r\nHost: localhost\r\nAuthorization: a\r\n\r\n',
  'GET /blogs/42/posts/7?limit=1000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: a\r\n\r\n',
  'GET /blogs/42/posts/7 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /blogs/42/posts/7 HTTP/1.1\r\nHost: localhost\r\nAuthorization: a\r\nX-Trace: !!!\r\n\r\n',
  post(JSON.stringify({ ...blog, title: undefined })),
  post(JSON.stringify({ ...blog, kind: 'other' })),
  post(JSON.stringify({ ...blog, author: { ...blog.author, id: 'x' } })),
  post(JSON.stringify({ ...blog, links: [{ rel: 'source' }] })),
  post('{"title":'),
]
