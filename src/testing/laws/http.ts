// Laws of HTTP that hold for every action: HEAD, methods, versions.

import { type CheckedResource, withElement } from '../check/checked-resource.ts'
import { findCreatedElement } from '../check/created-element.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, isAccessDenied, type Law } from '../check/law.ts'
import { readElement } from '../check/shown-elements.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import type { TestResponse } from '../session/check-response.ts'
import { assertLaw, LawViolation, SkipCase } from '../session/law-errors.ts'
import { buildTestRequest, hasVerb, type TestCall } from '../session/test-call.ts'

/** Headers that differ between responses. */
const VOLATILE_HEADERS =
  /^(?:date|age|x-request-id|request-id|traceparent|server-timing|set-cookie|connection|keep-alive|retry-after|transfer-encoding|content-length|(?:x-)?ratelimit.*)$/

/** Returns the headers that are equal in responses to equal requests. */
const listStableHeaders = ({ headers }: TestResponse): string[] =>
  [...headers].filter(([name]) => !VOLATILE_HEADERS.test(name)).map(([name, value]) => `${name}: ${value}`)

/** Returns whether two responses are equal to a client. */
export const isSameResponse = (one: TestResponse, other: TestResponse): boolean =>
  one.status === other.status &&
  one.text === other.text &&
  listStableHeaders(one).join('\n') === listStableHeaders(other).join('\n')

interface ValidCase {
  readonly call: TestCall
  /** Creates the element to delete, so that the others remain for later rounds. */
  readonly create?: TestCall | undefined
}

/** Valid requests get the declared responses. */
export const validLaw: Law = defineLaw<ValidCase>({
  name: 'valid',
  description: 'A valid request never gets a 5xx, is not refused as invalid, and its response fits its declaration.',
  needs: 'an action of which a request can be made',
  remedy: 'give attributes without an example an `example`, and params `known` values',
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
    const created = create && (await session.sendValid(create))
    const isCreated = created !== undefined && created.status < 300
    const element =
      isCreated && resource && findCreatedElement(subject.knownElements, resource, create as TestCall, created)
    const targeted = element ? withElement(call, resource, element) : call
    checkOwnKey(resource, targeted, await session.sendValid(targeted))
  },
  shrink: function* (one) {
    if (one.create !== undefined) yield { call: one.call }
    for (const call of shrinkCall(one.call)) yield { ...one, call }
  },
})

// Checks that the element has the key in the path.
function checkOwnKey(
  resource: CheckedResource | undefined,
  { action, params }: TestCall,
  { status, body }: TestResponse,
): void {
  if (resource === undefined || (action !== resource.show && !resource.updates.includes(action))) return
  const element = status < 300 ? readElement(action, body) : undefined
  if (element === undefined) return
  for (const name of resource.key) {
    const [attribute, param] = [resource.mediaType.attributes[name], action.params[name]]
    const [requested, shown] = [params[name], element[name]]
    if (typeof shown !== typeof requested || attribute?.core.scalar !== param?.core.scalar) continue
    // A text key may be an alias, such as `me`; a number is not.
    if (typeof shown !== 'number') continue
    assertLaw(
      shown === requested,
      'other-element',
      () => `the element with the ${name} ${requested} has the ${name} ${shown}`,
    )
  }
}

/** HEAD equals GET. */
export const headLaw: Law = defineLaw<TestCall>({
  name: 'head',
  description:
    'HEAD has the response of GET without the body, unless HEAD is declared or goes to a route for any verb.',
  needs: 'a GET that gives the same response twice',
  remedy: 'none, if responses differ from request to request',
  drawCase: (subject, action, draw) => (hasVerb(action, 'GET') ? drawCall(subject, action, draw) : undefined),
  async run(call, session, subject) {
    const verbs = await findRouteVerbs(call, subject)
    if (verbs.has('HEAD') || verbs.has('ANY')) throw new SkipCase('another route takes HEAD')
    const before = await session.sendValid(call)
    const response = await session.sendUnchecked({ ...call, method: 'HEAD' })
    const after = await session.sendValid(call)
    if (!isSameResponse(before, after)) throw new SkipCase('the responses to GET differ')
    assertLaw(response.text === '', 'head-body', () => 'the response to HEAD has a body')
    assertLaw(
      response.status === before.status,
      'head-status',
      () => `GET gives ${before.status}, HEAD ${response.status}`,
    )
    const [getHeaders, headHeaders] = [listStableHeaders(before), listStableHeaders(response)]
    const missing = getHeaders.filter((one) => !headHeaders.includes(one))
    assertLaw(missing.length === 0, 'head-headers', () => `HEAD lacks headers of GET: ${missing.join('; ')}`)
    const [getLength, headLength] = [before, response].map(({ headers }) => headers.get('Content-Length'))
    assertLaw(headLength === null || getLength === null || headLength === getLength, 'head-length', () => {
      return `GET has ${getLength} bytes, but HEAD says ${headLength}`
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
  const matching = subject.findRoutes(request.url, call.action.endpoint.version)
  return new Set(matching.map(({ route }) => route.verb))
}

const parseHeaderList = (header: string | null): string[] =>
  (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .sort()

/** Undeclared methods get a 405 with Allow, and OPTIONS lists the same methods. */
export const verbsLaw: Law = defineLaw<VerbCase>({
  name: 'verbs',
  description:
    'A verb that a path does not have is a 405 whose Allow lists those that it has, and OPTIONS lists the same.',
  needs: 'an action whose path does not take every method',
  remedy: 'none, if every path takes any method',
  drawCase(subject, action, draw) {
    const call = hasVerb(action, 'ANY') ? undefined : drawCall(subject, action, draw, { bare: true })
    return call && { call, verb: draw.pick(TRIED_VERBS) as string }
  },
  async run({ call, verb }, session, subject) {
    const declared = await findRouteVerbs(call, subject)
    if (declared.has('ANY') || declared.has(verb) || declared.size === 0) throw new SkipCase('the path has this verb')
    const { payload: _, ...bare } = call
    const refused = await session.sendUnchecked({ ...bare, method: verb })
    assertLaw(
      refused.status === 405,
      'verb-status',
      () => `the path has no ${verb}, but the response is ${refused.status}`,
    )
    const allow = parseHeaderList(refused.headers.get('Allow'))
    const expected = new Set([...declared, 'OPTIONS', ...(declared.has('GET') ? ['HEAD'] : [])])
    const missing = [...expected].filter((one) => !allow.includes(one))
    assertLaw(
      missing.length === 0,
      'allow-lacks',
      () => `Allow lists ${allow.join(', ')}, but not ${missing.join(', ')}`,
    )
    const stray = allow.filter((one) => !expected.has(one))
    assertLaw(
      stray.length === 0,
      'allow-refused',
      () => `Allow lists ${stray.join(', ')}, which the path does not have`,
    )
    const options = await session.sendUnchecked({ ...bare, method: 'OPTIONS' })
    const listed = parseHeaderList(options.headers.get('Allow'))
    assertLaw(options.status < 300, 'options-status', () => `OPTIONS gets the status ${options.status}`)
    assertLaw(listed.join() === allow.join(), 'options-allow', () => {
      return `OPTIONS allows ${listed.join(', ')}, and the 405 ${allow.join(', ')}`
    })
  },
  shrink: function* ({ call, verb }) {
    for (const one of shrinkCall(call)) yield { call: one, verb }
  },
})

/** A version is accepted from every carrier; unknown versions get a 404. */
export const versionsLaw: Law = defineLaw<TestCall>({
  name: 'versions',
  description: 'A version gives the same response however a request carries it, and a version that is none is a 404.',
  needs: 'an endpoint with a version',
  remedy: 'none, if the API has no versions',
  drawCase: (subject, action, draw) =>
    action.endpoint.version !== undefined && hasVerb(action, 'GET') && subject.versionCarriers.length > 0
      ? drawCall(subject, action, draw)
      : undefined,
  async run(call, session, subject) {
    const responses: TestResponse[] = []
    for (const carrier of subject.versionCarriers)
      responses.push(await session.sendValid({ ...call, versionWith: carrier as never }))
    const [first] = responses
    for (const [i, one] of responses.entries())
      if (
        first !== undefined &&
        one.status !== first.status &&
        !isAccessDenied(one.status) &&
        !isAccessDenied(first.status)
      )
        throw new LawViolation(
          'carriers',
          `${subject.versionCarriers[0]} gives ${first.status}, ${subject.versionCarriers[i]} gives ${one.status}`,
        )
    const { version } = call.action.endpoint
    const carrier = subject.versionCarriers.find((one) => one !== 'path')
    if (carrier !== 'header') return
    const request = { ...call, versionWith: 'header' as const, rawHeaders: { 'X-Api-Version': `${version}.none` } }
    const { status } = await session.sendUnchecked(request)
    assertLaw(
      status >= 400 && status < 500,
      'no-version',
      () => `the version ${version}.none is none, but gives ${status}`,
    )
  },
  shrink: shrinkCall,
})
