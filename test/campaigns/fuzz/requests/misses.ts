// Odd requests: other methods, paths, versions and bodies than declared, and what must be said of each.
import { type Built, PAIRS } from '../declarations/build.ts'
import type { Draw } from '../draw.ts'
import { allowedAt, broken, isUnambiguous, problemOf, reachable } from '../laws.ts'
import type { Answered, Sent } from '../transports.ts'
import type { Case } from './cases.ts'

/** An odd request. */
export interface Odd {
  readonly sent: Sent
  /** Whether no controller may see it. */
  readonly unseen: boolean
  readonly check: (answered: Answered) => void
}

type Make = (built: Built, one: Case, draw: Draw) => Odd | undefined

/** Draws an odd request from a right one; undefined when the declaration makes it an ordinary one. */
export const oddRequest = (built: Built, one: Case, draw: Draw): Odd | undefined =>
  draw.pick(ODDITIES)(built, one, draw)

const refused = (sent: Sent, status: number, code: string): Odd => ({
  sent,
  unseen: true,
  check(answered) {
    if (answered.status !== status) broken(`It is refused with ${status} ${code}`, sent, answered)
    if (problemOf(sent, answered).code !== code) broken(`It is refused as ${code}`, sent, answered)
  },
})

const listed = (answered: Answered): string[] => (answered.headers['allow'] ?? '').split(', ').sort()

const otherMethod: Make = (built, one, draw) => {
  const allowed = allowedAt(reachable(built, one))
  const method = draw.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE', 'TRACE', 'OPTIONS', 'get'])
  if (allowed === undefined || (allowed.has(method) && method !== 'OPTIONS')) return undefined
  const declared = reachable(built, one).some(({ route }) => route.verb === 'options')
  if (method === 'OPTIONS' && declared) return undefined
  const sent = { ...one.sent, method }
  const check = (answered: Answered): void => {
    const wanted = [...allowed].sort()
    if (answered.status !== (method === 'OPTIONS' ? 204 : 405)) broken('Another method is not allowed', sent, answered)
    if (listed(answered).join() !== wanted.join())
      broken('Exactly the allowed methods are listed', sent, answered, `wanted ${wanted}`)
  }
  return { sent, unseen: true, check }
}

const otherPath: Make = (built, one, draw) => {
  const more = draw.pick(['/nowhere', '/', '%20', '.'])
  const [path = '', query] = one.sent.url.split('?')
  const sent = { ...one.sent, url: path + more + (query === undefined ? '' : `?${query}`) }
  const text = decodeURIComponent(more)
  const moved = { ...one, flat: one.flat + text, sample: { ...one.sample, flat: one.sample.flat + text } }
  const elsewhere = built.served.some(({ matcher }) => matcher.test(moved.flat) || matcher.test(moved.sample.flat))
  return elsewhere ? undefined : refused(sent, 404, 'not-found')
}

const badEscape: Make = (_, one, draw) => {
  const [path = '', query] = one.sent.url.split('?')
  const sent = {
    ...one.sent,
    url: `${path}/${draw.pick(['%', '%zz', '%E0%A4%A', '%C0%80', '%FF'])}${query === undefined ? '' : `?${query}`}`,
  }
  return refused(sent, 400, 'malformed-path')
}

const badQuery: Make = (built, one, draw) => {
  if (!isUnambiguous(built, one)) return undefined
  const sign = one.sent.url.includes('?') ? '&' : '?'
  const name = draw.pick(['undeclared', 'undeclared[a]'])
  const sent = { ...one.sent, url: `${one.sent.url}${sign}${name}=${draw.pick(['%', '%zz', '%E0%A4%A', '%FF'])}` }
  return refused(sent, built.spec.status, 'validation')
}

const tooManyPairs: Make = (built, one) => {
  if (!isUnambiguous(built, one)) return undefined
  const sign = one.sent.url.includes('?') ? '&' : '?'
  const sent = { ...one.sent, url: `${one.sent.url}${sign}${'a=1&'.repeat(PAIRS + 1)}` }
  return refused(sent, 400, 'malformed-query')
}

const otherType: Make = (built, one, draw) => {
  const { payload } = one.served.action
  if (payload === undefined || one.sent.body === undefined || one.sent.body.length === 0) return undefined
  if (!isUnambiguous(built, one) || (payload.form === 'whole' && JSON.stringify(payload.shape).includes('"file"')))
    return undefined
  const type = draw.pick(['image/png', 'application/xml', 'nonsense', 'application/json; charset=latin1'])
  const sent = { ...one.sent, headers: { ...one.sent.headers, 'Content-Type': type } }
  return refused(sent, 415, 'unsupported-media-type')
}

const otherCoding: Make = (built, one, draw) => {
  if (one.served.action.payload === undefined || one.sent.body === undefined || one.sent.body.length === 0)
    return undefined
  if (!isUnambiguous(built, one)) return undefined
  const [coding, status, code] = draw.pick([
    ['br', 415, 'unsupported-coding'],
    ['gzip', 400, 'malformed-body'],
    ['gzip, gzip', 415, 'unsupported-coding'],
  ] as const)
  return refused({ ...one.sent, headers: { ...one.sent.headers, 'Content-Encoding': coding } }, status, code)
}

const brokenBody: Make = (built, one, draw) => {
  const type = one.sent.headers['Content-Type'] ?? ''
  if (!isUnambiguous(built, one) || one.sent.body === undefined || !/json/i.test(type)) return undefined
  if (JSON.stringify(one.served.action.payload).includes('"file"')) return undefined
  const text = Buffer.from(one.sent.body).toString()
  const body = draw.pick([
    `${text},`,
    `[${text}`,
    `${text}]`,
    '{"a":',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    `${'['.repeat(70)}${']'.repeat(70)}`,
  ])
  return refused({ ...one.sent, body: Buffer.from(body) }, 400, 'malformed-body')
}

const notUtf8: Make = (built, one) => {
  const type = one.sent.headers['Content-Type'] ?? ''
  if (!isUnambiguous(built, one) || one.sent.body === undefined || !/json|text|urlencoded/i.test(type)) return undefined
  if (JSON.stringify(one.served.action.payload).includes('"file"')) return undefined
  return refused(
    { ...one.sent, body: Buffer.concat([one.sent.body, Buffer.from([0xff, 0xfe])]) },
    400,
    'malformed-body',
  )
}

const tooLarge: Make = (built, one) => {
  if (!isUnambiguous(built, one) || one.served.action.payload === undefined) return undefined
  const type = one.sent.headers['Content-Type']
  if (type === undefined || /multipart/.test(type)) return undefined
  return refused({ ...one.sent, body: Buffer.alloc(65_537, 0x20) }, 413, 'payload-too-large')
}

const otherVersion: Make = (built, one) => {
  const { version } = one.served.endpoint
  const { carriers } = built.spec
  if (version === undefined || !carriers.includes('header')) return undefined
  const inPath = one.flat !== one.sample.flat
  if (inPath || /[?&]api_version=/.test(one.sent.url)) {
    const sent = { ...one.sent, headers: { ...one.sent.headers, 'X-Api-Version': '9' } }
    return refused(sent, 400, 'version-conflict')
  }
  const sent = { ...one.sent, headers: { ...one.sent.headers, 'X-Api-Version': '9' } }
  const plain = built.served.some(({ endpoint, matcher }) => endpoint.version === undefined && matcher.test(one.flat))
  return plain ? undefined : refused(sent, 404, 'version-not-found')
}

const ODDITIES: readonly Make[] = [
  otherMethod,
  otherMethod,
  otherPath,
  badEscape,
  badQuery,
  tooManyPairs,
  otherType,
  otherCoding,
  brokenBody,
  notUtf8,
  tooLarge,
  otherVersion,
]
