// The documentation browser, served with descriptions that attack its readers; and its files.
import { scalarTag } from '../../../../../src/plugins/docs/asset.ts'
import { valuesOf } from '../../answers.ts'
import { type Details, group, type Row } from '../../case.ts'
import { get } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

const page = (check: (html: string, seen: Seen) => string | undefined) => (seen: Seen) =>
  seen.answers[0]?.status === 200 ? check(seen.answers[0].body.toString(), seen) : 'there is no page'

const header = (name: string, check: (value: string) => boolean) =>
  page((_, { answers: [answer] }) => {
    const value = answer === undefined ? '' : valuesOf(answer, name).join(', ')
    return check(value) ? undefined : `${name} is ${JSON.stringify(value)}`
  })

const policy = (directive: string) =>
  header('content-security-policy', (value) => value.split('; ').includes(directive))
const count = (html: string, pattern: RegExp): number => html.match(pattern)?.length ?? 0

/** The scripts of the page: each from the server itself, or data that no browser runs. */
const ownScripts = page((html) => {
  const tags = html.match(/<script\b[^>]*>/gi) ?? []
  const strange = tags.find(
    (tag) => !/^<script (?:type="application\/json" id="settings"|src="(?!\w+:|\/\/)[^"]+")>$/.test(tag),
  )
  return strange === undefined ? undefined : `there is a script ${strange}`
})

const checks: readonly (readonly [string, (seen: Seen) => string | undefined])[] = [
  ['No script of a description is in the page', ownScripts],
  [
    'The data of the page ends where it should',
    page((html) =>
      count(html, /<\/script/gi) === count(html, /<script\b/gi) ? undefined : 'a script is closed too often',
    ),
  ],
  [
    'No handler of an event is in the page',
    page((html) => (/<[^>]+\son\w+\s*=/i.test(html) ? 'there is a handler' : undefined)),
  ],
  [
    'The title of the page is text',
    page((html) =>
      count(html, /<title>/gi) === 1 && count(html, /<\/title>/gi) === 1 ? undefined : 'the title is closed by itself',
    ),
  ],
  ['No comment is opened in the page', page((html) => (html.includes('<!--') ? 'a comment is opened' : undefined))],
  [
    'Nothing is loaded from elsewhere',
    page((html) =>
      /(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i.test(html) ? 'something is loaded from elsewhere' : undefined,
    ),
  ],
  [
    'No frame, base or refresh is in the page',
    page((html) => (/<(?:iframe|base|object|embed)\b|http-equiv="refresh"/i.test(html) ? 'there is one' : undefined)),
  ],
  ['Scripts come from the server only', policy("script-src 'self'")],
  ['Nothing else comes from anywhere', policy("default-src 'none'")],
  ['The base cannot be moved', policy("base-uri 'none'")],
  ['Forms go nowhere', policy("form-action 'none'")],
  ['Other pages cannot frame it', policy("frame-ancestors 'self'")],
  [
    'The policy has no way around it',
    header('content-security-policy', (value) => !/script-src[^;]*(?:unsafe|\*|data:|https?:)/.test(value)),
  ],
  ['Types are not guessed', header('x-content-type-options', (value) => value === 'nosniff')],
  ['The page tells nobody where its reader came from', header('referrer-policy', (value) => value === 'no-referrer')],
  ['The page is HTML in UTF-8', header('content-type', (value) => /^text\/html; ?charset=utf-8$/i.test(value))],
]

const files: readonly (readonly [string, string])[] = [
  ['/docs/../surface.ts', 'A source beside the page'],
  ['/docs/%2e%2e/%2e%2e/package.json', 'A file above the page'],
  ['/docs/..%2f..%2fpackage.json', 'A file above the page, with escaped slashes'],
  ['/docs/__proto__', 'A built-in property as a file'],
  ['/docs/constructor', 'The constructor as a file'],
  ['/docs/%00', 'NUL as a file'],
  ['/docs/%3Cscript%3Ealert(1)%3C/script%3E', 'Markup as a file'],
  [`/docs/${'a/'.repeat(1000)}`, 'A file in a thousand folders'],
  ['/docs/openapi.json%00.html', 'A document with NUL and another ending'],
  ['/docs//', 'A slash too many'],
]

/** Every check of the page; says the first that fails. */
const sound = (seen: Seen): string | undefined => {
  for (const [says, check] of checks) {
    const wrong = check(seen)
    if (wrong !== undefined) return `not so: ${says} (${wrong})`
  }
  return undefined
}

/** A document is data, whatever the client would like to take it for. */
const data = header('content-type', (value) => /^application\/(?:[\w.]+\+)?json/.test(value))

const SCRIPT = `/docs/scalar-${scalarTag}.js`

/** Hundreds of requests may take longer than one. */
const MANY: Details = { cpu: 1000 }

const rows: Row[] = [
  ['The script of the page, compressed', get(SCRIPT, { 'Accept-Encoding': 'gzip' }), 200],
  ['The script of the page for a client that does not read', ['DEAF', get(SCRIPT), { wait: 100 }, 'RESET'], 'closed'],
  [
    'The script of the page two hundred times for a client that does not read',
    ['DEAF', get(SCRIPT).repeat(200), { wait: 200 }, 'RESET'],
    'closed',
    MANY,
  ],
  [
    'The page two hundred times for a client that does not read',
    ['DEAF', get('/docs').repeat(200), { wait: 200 }, 'RESET'],
    'closed',
    MANY,
  ],
  [
    'The document two hundred times for a client that does not read',
    ['DEAF', get('/docs/openapi.json').repeat(200), { wait: 200 }, 'RESET'],
    'closed',
    MANY,
  ],
  ['The page', get('/docs'), 200, { safe: sound }],
  ['The page, with a slash at the end of its address', get('/docs/'), 200, { safe: sound }],
  ['The page, asked for with a query', get('/docs?theme=dark&theme[]=x'), 200, { safe: sound }],
  ['The page, asked for as data', get('/docs', { Accept: 'application/json' }), [200, 406], { safe: sound }],
  ['The page, asked for by an old client', 'GET /docs HTTP/1.0\r\n\r\n', 200, { safe: sound }],
  ['The page, compressed', get('/docs', { 'Accept-Encoding': 'gzip' }), 200, { safe: policy("script-src 'self'") }],
  ['The document of the page', get('/docs/openapi.json'), 200, { safe: data }],
  ['The document, asked for as a page', get('/docs/openapi.json', { Accept: 'text/html' }), 200, { safe: data }],
  ...files.map(([path, says]): Row => [says, get(path), [200, 400, 404], { safe: noPage }]),
  ['The page for a client that knows every version', get('/docs', { 'If-None-Match': '"'.repeat(8000) }), 200],
  [
    'The page for a client that knows a thousand versions',
    get('/docs', { 'If-None-Match': '"a", '.repeat(2000) }),
    200,
  ],
  ['The page for a client that takes no coding', get('/docs', { 'Accept-Encoding': '*;q=0' }), [200, 406]],
  [
    'The page for a client with two thousand codings',
    get('/docs', { 'Accept-Encoding': 'br;q=0.1, '.repeat(1200) }),
    200,
  ],
  [
    'The page with markup in its query',
    get('/docs?"><script>alert(1)</script>'.replace(/[<>"]/g, encodeURIComponent)),
    200,
    { safe: ownScripts },
  ],
  [
    'The page with markup in its host',
    `GET /docs HTTP/1.1\r\nHost: "><script>alert(1)</script>\r\n\r\n`,
    [200, 400],
    { safe: ({ text }) => (text.includes('<script>alert') ? 'the host is in the page' : undefined) },
  ],
]

function noPage({ answers: [answer] }: Seen): string | undefined {
  if (answer === undefined || answer.status === 200)
    return answer?.body.includes('import ') ? 'it serves a source' : undefined
  return /html/.test(valuesOf(answer, 'content-type').join()) ? 'a refusal is a page' : undefined
}

/** Documentation. */
export const documents = group('DOC', 'documentation', rows, { app: 'documented', ours: true })
