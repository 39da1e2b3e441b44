// Laws of HTTP that hold for every action: HEAD, verbs, versions.
import { Broken, insist, Void } from '../check/broken.ts'
import { type Call, requestFor } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import type { Answer } from '../check/judge.ts'
import { about, createdBy, type Resource } from '../check/resource.ts'
import { smallerCalls } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import { hasVerb, isElsewhere, type Law, law } from './law.ts'

/** Headers that differ from answer to answer. */
const VOLATILE =
  /^(?:date|age|x-request-id|request-id|traceparent|server-timing|set-cookie|connection|keep-alive|retry-after|transfer-encoding|content-length|(?:x-)?ratelimit.*)$/

/** The headers of an answer that are the same whenever the same is asked. */
const stableHeaders = ({ headers }: Answer): string[] =>
  [...headers].filter(([name]) => !VOLATILE.test(name)).map(([name, value]) => `${name}: ${value}`)

/** Returns whether two answers are the same to a client. */
export const isSame = (one: Answer, other: Answer): boolean =>
  one.status === other.status &&
  one.text === other.text &&
  stableHeaders(one).join('\n') === stableHeaders(other).join('\n')

interface ValidCase {
  readonly call: Call
  /** Creates the element that is deleted: the others are left for the rounds to come. */
  readonly create?: Call | undefined
}

/** Valid requests are answered as declared. */
export const valid: Law = law<ValidCase>({
  name: 'valid',
  says: 'A valid request never gets a 5xx, is not refused as invalid, and its answer fits its declaration.',
  times: 2,
  draw(subject, action, draw) {
    const call = drawCall(subject, action, draw, { anyRoute: true })
    const resource = subject.resourceOf(action)
    if (call === undefined || resource?.remove !== action || resource.create === undefined) return call && { call }
    const params = Object.fromEntries(resource.inherited.map((name) => [name, call.params[name]]))
    return { call, create: drawCall(subject, resource.create, draw, { principal: call.principal, bare: true, params }) }
  },
  async run({ call, create }, session, subject) {
    const resource = subject.resourceOf(call.action)
    const made = create && (await session.valid(create))
    const isMade = made !== undefined && made.status < 300
    const place = isMade && resource && createdBy(subject.places, resource, create as Call, made)
    const sent = place ? about(call, resource, place) : call
    ownKey(resource, sent, await session.valid(sent))
  },
  smaller: function* (one) {
    if (one.create !== undefined) yield { call: one.call }
    for (const call of smallerCalls(one.call)) yield { ...one, call }
  },
})

// An element has the key that the path names it by.
function ownKey(resource: Resource | undefined, { action, params }: Call, { status, body }: Answer): void {
  if (resource === undefined || (action !== resource.show && action !== resource.update)) return
  if (status >= 300 || typeof body !== 'object' || body === null || Array.isArray(body)) return
  for (const name of resource.key) {
    const [attribute, param] = [resource.mediaType.attributes[name], action.params[name]]
    const [asked, shown] = [params[name], (body as Record<string, unknown>)[name]]
    if (typeof shown !== typeof asked || attribute?.core.scalar !== param?.core.scalar) continue
    // A text may name an element by something else, such as `me`; a number does not.
    if (typeof shown !== 'number') continue
    insist(shown === asked, 'other-element', () => `the element with the ${name} ${asked} has the ${name} ${shown}`)
  }
}

/** HEAD equals GET. */
export const head: Law = law<Call>({
  name: 'head',
  says: 'HEAD is answered as GET is, without the body, unless HEAD is declared or goes to a route for any verb.',
  draw: (subject, action, draw) => (hasVerb(action, 'GET') ? drawCall(subject, action, draw) : undefined),
  async run(call, session, subject) {
    const known = await verbsAt(call, subject)
    if (known.has('HEAD') || known.has('ANY')) throw new Void('another route takes HEAD')
    const before = await session.valid(call)
    const answer = await session.plain({ ...call, method: 'HEAD' })
    const after = await session.valid(call)
    if (!isSame(before, after)) throw new Void('the answers to GET differ')
    insist(answer.text === '', 'head-body', () => 'the answer to HEAD has a body')
    insist(answer.status === before.status, 'head-status', () => `GET gives ${before.status}, HEAD ${answer.status}`)
    const [got, heads] = [stableHeaders(before), stableHeaders(answer)]
    const missing = got.filter((one) => !heads.includes(one))
    insist(missing.length === 0, 'head-headers', () => `HEAD lacks headers of GET: ${missing.join('; ')}`)
    const [length, own] = [before, answer].map(({ headers }) => headers.get('Content-Length'))
    insist(own === null || length === null || own === length, 'head-length', () => {
      return `GET has ${length} bytes, but HEAD says ${own}`
    })
  },
  smaller: smallerCalls,
})

interface VerbCase {
  readonly call: Call
  readonly verb: string
}

const VERBS = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']

async function verbsAt(call: Call, subject: Subject): Promise<Set<string>> {
  const request = await requestFor(call, subject)
  if (request === undefined) throw new Void('no request can be made of it')
  const fits = subject.routesAt(request.url, call.action.endpoint.version)
  return new Set(fits.map(({ route }) => route.verb))
}

const listOf = (header: string | null): string[] =>
  (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .sort()

/** Other verbs are a 405 with Allow, and OPTIONS tells the same. */
export const verbs: Law = law<VerbCase>({
  name: 'verbs',
  says: 'A verb that a path does not have is a 405 whose Allow lists those that it has, and OPTIONS lists the same.',
  draw(subject, action, draw) {
    const call = hasVerb(action, 'ANY') ? undefined : drawCall(subject, action, draw, { bare: true })
    return call && { call, verb: draw.pick(VERBS) as string }
  },
  async run({ call, verb }, session, subject) {
    const known = await verbsAt(call, subject)
    if (known.has('ANY') || known.has(verb) || known.size === 0) throw new Void('the path has this verb')
    const { payload: _, ...bare } = call
    const refused = await session.plain({ ...bare, method: verb })
    insist(refused.status === 405, 'verb-status', () => `the path has no ${verb}, but the answer is ${refused.status}`)
    const allow = listOf(refused.headers.get('Allow'))
    const all = new Set([...known, 'OPTIONS', ...(known.has('GET') ? ['HEAD'] : [])])
    const missing = [...all].filter((one) => !allow.includes(one))
    insist(missing.length === 0, 'allow-lacks', () => `Allow lists ${allow.join(', ')}, but not ${missing.join(', ')}`)
    const stray = allow.filter((one) => !all.has(one))
    insist(stray.length === 0, 'allow-refused', () => `Allow lists ${stray.join(', ')}, which the path does not have`)
    const options = await session.plain({ ...bare, method: 'OPTIONS' })
    const listed = listOf(options.headers.get('Allow'))
    insist(options.status < 300, 'options-status', () => `OPTIONS is answered with ${options.status}`)
    insist(listed.join() === allow.join(), 'options-allow', () => {
      return `OPTIONS allows ${listed.join(', ')}, and the 405 ${allow.join(', ')}`
    })
  },
  smaller: function* ({ call, verb }) {
    for (const one of smallerCalls(call)) yield { call: one, verb }
  },
})

/** A version counts however it is carried; others are a 404. */
export const versions: Law = law<Call>({
  name: 'versions',
  says: 'A version gives the same answer however a request carries it, and a version that is none is a 404.',
  draw: (subject, action, draw) =>
    action.endpoint.version !== undefined && hasVerb(action, 'GET') && subject.carriers.length > 0
      ? drawCall(subject, action, draw)
      : undefined,
  async run(call, session, subject) {
    const answers: Answer[] = []
    for (const carrier of subject.carriers)
      answers.push(await session.valid({ ...call, versionWith: carrier as never }))
    const [first] = answers
    for (const [i, one] of answers.entries())
      if (first !== undefined && one.status !== first.status && !isElsewhere(one.status) && !isElsewhere(first.status))
        throw new Broken(
          'carriers',
          `${subject.carriers[0]} gives ${first.status}, ${subject.carriers[i]} gives ${one.status}`,
        )
    const { version } = call.action.endpoint
    const carrier = subject.carriers.find((one) => one !== 'path')
    if (carrier !== 'header') return
    const request = { ...call, versionWith: 'header' as const, raw: { 'X-Api-Version': `${version}.none` } }
    const { status } = await session.plain(request)
    insist(
      status >= 400 && status < 500,
      'no-version',
      () => `the version ${version}.none is none, but gives ${status}`,
    )
  },
  smaller: smallerCalls,
})
