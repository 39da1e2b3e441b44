// Laws of HTTP that hold for every action: HEAD, verbs, versions.
import { LawViolation, assertLaw, SkipCase } from '../session/law-errors.ts'
import { type TestCall, buildTestRequest } from '../session/test-call.ts'
import { drawCall } from '../check/draw-call.ts'
import type { TestResponse } from '../session/check-response.ts'
import { withElement, findCreatedElement, type CheckedResource } from '../check/checked-resource.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { hasVerb, isAccessDenied, type Law, defineLaw } from '../check/law.ts'

/** Headers that differ from answer to answer. */
const VOLATILE_HEADERS =
  /^(?:date|age|x-request-id|request-id|traceparent|server-timing|set-cookie|connection|keep-alive|retry-after|transfer-encoding|content-length|(?:x-)?ratelimit.*)$/

/** The headers of an answer that are the same whenever the same is asked. */
const listStableHeaders = ({ headers }: TestResponse): string[] =>
  [...headers].filter(([name]) => !VOLATILE_HEADERS.test(name)).map(([name, value]) => `${name}: ${value}`)

/** Returns whether two answers are the same to a client. */
export const isSameResponse = (one: TestResponse, other: TestResponse): boolean =>
  one.status === other.status &&
  one.text === other.text &&
  listStableHeaders(one).join('\n') === listStableHeaders(other).join('\n')

interface ValidCase {
  readonly call: TestCall
  /** Creates the element that is deleted: the others are left for the rounds to come. */
  readonly create?: TestCall | undefined
}

/** Valid requests are answered as declared. */
export const validLaw: Law = defineLaw<ValidCase>({
  name: 'valid',
  description: 'A valid request never gets a 5xx, is not refused as invalid, and its answer fits its declaration.',
  casesPerRound: 2,
  drawCase(subject, action, draw) {
    const call = drawCall(subject, action, draw, { anyRoute: true })
    const resource = subject.getResource(action)
    if (call === undefined || resource?.remove !== action || resource.create === undefined) return call && { call }
    const params = Object.fromEntries(resource.inherited.map((name) => [name, call.params[name]]))
    return { call, create: drawCall(subject, resource.create, draw, { principal: call.principal, bare: true, params }) }
  },
  async run({ call, create }, session, subject) {
    const resource = subject.getResource(call.action)
    const made = create && (await session.sendValid(create))
    const isMade = made !== undefined && made.status < 300
    const place = isMade && resource && findCreatedElement(subject.knownElements, resource, create as TestCall, made)
    const sent = place ? withElement(call, resource, place) : call
    checkOwnKey(resource, sent, await session.sendValid(sent))
  },
  shrink: function* (one) {
    if (one.create !== undefined) yield { call: one.call }
    for (const call of shrinkCall(one.call)) yield { ...one, call }
  },
})

// An element has the key that the path names it by.
function checkOwnKey(resource: CheckedResource | undefined, { action, params }: TestCall, { status, body }: TestResponse): void {
  if (resource === undefined || (action !== resource.show && action !== resource.update)) return
  if (status >= 300 || typeof body !== 'object' || body === null || Array.isArray(body)) return
  for (const name of resource.key) {
    const [attribute, param] = [resource.mediaType.attributes[name], action.params[name]]
    const [asked, shown] = [params[name], (body as Record<string, unknown>)[name]]
    if (typeof shown !== typeof asked || attribute?.core.scalar !== param?.core.scalar) continue
    // A text may name an element by something else, such as `me`; a number does not.
    if (typeof shown !== 'number') continue
    assertLaw(shown === asked, 'other-element', () => `the element with the ${name} ${asked} has the ${name} ${shown}`)
  }
}

/** HEAD equals GET. */
export const headLaw: Law = defineLaw<TestCall>({
  name: 'head',
  description: 'HEAD is answered as GET is, without the body, unless HEAD is declared or goes to a route for any verb.',
  drawCase: (subject, action, draw) => (hasVerb(action, 'GET') ? drawCall(subject, action, draw) : undefined),
  async run(call, session, subject) {
    const known = await findRouteVerbs(call, subject)
    if (known.has('HEAD') || known.has('ANY')) throw new SkipCase('another route takes HEAD')
    const before = await session.sendValid(call)
    const answer = await session.sendUnchecked({ ...call, method: 'HEAD' })
    const after = await session.sendValid(call)
    if (!isSameResponse(before, after)) throw new SkipCase('the answers to GET differ')
    assertLaw(answer.text === '', 'head-body', () => 'the answer to HEAD has a body')
    assertLaw(answer.status === before.status, 'head-status', () => `GET gives ${before.status}, HEAD ${answer.status}`)
    const [got, heads] = [listStableHeaders(before), listStableHeaders(answer)]
    const missing = got.filter((one) => !heads.includes(one))
    assertLaw(missing.length === 0, 'head-headers', () => `HEAD lacks headers of GET: ${missing.join('; ')}`)
    const [length, own] = [before, answer].map(({ headers }) => headers.get('Content-Length'))
    assertLaw(own === null || length === null || own === length, 'head-length', () => {
      return `GET has ${length} bytes, but HEAD says ${own}`
    })
  },
  shrink: shrinkCall,
})

interface VerbCase {
  readonly call: TestCall
  readonly verb: string
}

const TRIED_VERBS = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']

async function findRouteVerbs(call: TestCall, subject: Subject): Promise<Set<string>> {
  const request = await buildTestRequest(call, subject)
  if (request === undefined) throw new SkipCase('no request can be made of it')
  const fits = subject.findRoutes(request.url, call.action.endpoint.version)
  return new Set(fits.map(({ route }) => route.verb))
}

const parseHeaderList = (header: string | null): string[] =>
  (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .sort()

/** Other verbs are a 405 with Allow, and OPTIONS tells the same. */
export const verbsLaw: Law = defineLaw<VerbCase>({
  name: 'verbs',
  description: 'A verb that a path does not have is a 405 whose Allow lists those that it has, and OPTIONS lists the same.',
  drawCase(subject, action, draw) {
    const call = hasVerb(action, 'ANY') ? undefined : drawCall(subject, action, draw, { bare: true })
    return call && { call, verb: draw.pick(TRIED_VERBS) as string }
  },
  async run({ call, verb }, session, subject) {
    const known = await findRouteVerbs(call, subject)
    if (known.has('ANY') || known.has(verb) || known.size === 0) throw new SkipCase('the path has this verb')
    const { payload: _, ...bare } = call
    const refused = await session.sendUnchecked({ ...bare, method: verb })
    assertLaw(refused.status === 405, 'verb-status', () => `the path has no ${verb}, but the answer is ${refused.status}`)
    const allow = parseHeaderList(refused.headers.get('Allow'))
    const all = new Set([...known, 'OPTIONS', ...(known.has('GET') ? ['HEAD'] : [])])
    const missing = [...all].filter((one) => !allow.includes(one))
    assertLaw(missing.length === 0, 'allow-lacks', () => `Allow lists ${allow.join(', ')}, but not ${missing.join(', ')}`)
    const stray = allow.filter((one) => !all.has(one))
    assertLaw(stray.length === 0, 'allow-refused', () => `Allow lists ${stray.join(', ')}, which the path does not have`)
    const options = await session.sendUnchecked({ ...bare, method: 'OPTIONS' })
    const listed = parseHeaderList(options.headers.get('Allow'))
    assertLaw(options.status < 300, 'options-status', () => `OPTIONS is answered with ${options.status}`)
    assertLaw(listed.join() === allow.join(), 'options-allow', () => {
      return `OPTIONS allows ${listed.join(', ')}, and the 405 ${allow.join(', ')}`
    })
  },
  shrink: function* ({ call, verb }) {
    for (const one of shrinkCall(call)) yield { call: one, verb }
  },
})

/** A version counts however it is carried; others are a 404. */
export const versionsLaw: Law = defineLaw<TestCall>({
  name: 'versions',
  description: 'A version gives the same answer however a request carries it, and a version that is none is a 404.',
  drawCase: (subject, action, draw) =>
    action.endpoint.version !== undefined && hasVerb(action, 'GET') && subject.carriers.length > 0
      ? drawCall(subject, action, draw)
      : undefined,
  async run(call, session, subject) {
    const answers: TestResponse[] = []
    for (const carrier of subject.carriers)
      answers.push(await session.sendValid({ ...call, versionWith: carrier as never }))
    const [first] = answers
    for (const [i, one] of answers.entries())
      if (first !== undefined && one.status !== first.status && !isAccessDenied(one.status) && !isAccessDenied(first.status))
        throw new LawViolation(
          'carriers',
          `${subject.carriers[0]} gives ${first.status}, ${subject.carriers[i]} gives ${one.status}`,
        )
    const { version } = call.action.endpoint
    const carrier = subject.carriers.find((one) => one !== 'path')
    if (carrier !== 'header') return
    const request = { ...call, versionWith: 'header' as const, raw: { 'X-Api-Version': `${version}.none` } }
    const { status } = await session.sendUnchecked(request)
    assertLaw(
      status >= 400 && status < 500,
      'no-version',
      () => `the version ${version}.none is none, but gives ${status}`,
    )
  },
  shrink: shrinkCall,
})
