// The laws of conditional requests and of repeated requests.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import { type ConditionSettings, findConditionSettings } from '../../plugins/conditional/index.ts'
import { type CheckedResource, withElement } from '../check/checked-resource.ts'
import { findCreatedElement } from '../check/created-element.ts'
import { drawCall, drawChange } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { readSentValues } from '../check/shown-elements.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import type { TestResponse } from '../session/check-response.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import { hasVerb } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'
import { isSameResponse } from './http.ts'
import { readAllElements } from './read-list.ts'

/** A request for a known version gets 304; a change of another version is refused. */
export const conditionsLaw: Law = defineLaw<TestCall>({
  name: 'conditions',
  description:
    'If-None-Match with the tag of a response gives 304, with another tag 200, and a change of another version is refused.',
  needs: 'an action with a policy such as `etag`, and an element',
  remedy: 'add the policy, or fill the lists',
  casesPerRound: 2,
  drawCase(subject, action, draw) {
    const call = findConditionSettings(action).length > 0 ? drawCall(subject, action, draw, { bare: true }) : undefined
    // Only an effective change can violate the law.
    return call?.payload === undefined ? call : (drawChange(call, subject, draw) ?? call)
  },
  async run(call, session, subject) {
    if (!hasVerb(call.action, 'GET')) return checkConditionalChange(call, session, subject.getResource(call.action))
    const first = await session.sendValid(call)
    const tag = first.headers.get('ETag')
    const date = first.headers.get('Last-Modified')
    if (first.status !== 200) throw new SkipCase('there is nothing')
    if (tag === null && date === null) throw new SkipCase('it has no version')
    const raw: Record<string, string> =
      tag === null ? { 'If-Modified-Since': date as string } : { 'If-None-Match': tag }
    const notModified = await session.sendValid({ ...call, rawHeaders: raw })
    assertLaw(
      notModified.status === 304,
      'not-modified',
      () => `the version was not modified, but the response is ${notModified.status}`,
    )
    assertLaw(notModified.text === '', 'not-modified-body', () => 'a 304 has a body')
    if (tag === null) return
    assertLaw(notModified.headers.get('ETag') === tag, 'not-modified-tag', () => 'a 304 has another tag than the 200')
    const modified = await session.sendValid({ ...call, rawHeaders: { 'If-None-Match': '"another-version"' } })
    assertLaw(
      modified.status === 200,
      'modified',
      () => `the client has another version, but the response is ${modified.status}`,
    )
    const mismatched = await session.sendValid({ ...call, rawHeaders: { 'If-Match': '"another-version"' } })
    assertLaw(
      mismatched.status === 412,
      'precondition',
      () => `another version is meant, but the response is ${mismatched.status}`,
    )
  },
  shrink: shrinkCall,
})

async function checkConditionalChange(
  call: TestCall,
  session: TestSession,
  resource: CheckedResource | undefined,
): Promise<void> {
  const setting = findTagSettings(call.action)
  if (setting === undefined || setting.of === 'body' || !hasVerb(call.action, 'PUT', 'PATCH', 'DELETE'))
    throw new SkipCase('no version')
  if (resource?.show === undefined || findTagSettings(resource.show)?.of !== setting.of)
    throw new SkipCase('other versions')
  const showCall = withElement(
    { ...call, action: resource.show, headers: {}, payload: undefined },
    resource,
    call.params,
  )
  const before = await session.sendValid(showCall)
  if (before.status !== 200) throw new SkipCase('there is nothing to change')
  if (before.headers.get('ETag') === null) throw new SkipCase('it has no version')
  const refused = await session.sendValid({ ...call, rawHeaders: { 'If-Match': '"another-version"' } })
  assertLaw(
    refused.status >= 400,
    'stale-accepted',
    () => `a change of another version is accepted with ${refused.status}`,
  )
  if (setting.required === true) {
    const unconditional = await session.sendValid(call)
    assertLaw(
      unconditional.status === 428 || unconditional.status >= 400,
      'no-condition',
      () => `a change without its condition gives ${unconditional.status}`,
    )
  }
  const after = await session.sendValid(showCall)
  assertLaw(after.text === before.text, 'stale-changed', () => 'a change that was refused has changed the element')
  await checkCurrentChange(call, showCall, after, session)
}

const hasSentKey = ({ key, keyAttributes, mediaType }: CheckedResource, call: TestCall): boolean =>
  key.some((name) => Object.hasOwn(readSentValues(call, mediaType)?.values ?? {}, keyAttributes[name] as string))

const findTagSettings = (action: ResolvedAction): ConditionSettings | undefined =>
  findConditionSettings(action).find(({ by }) => by === 'tag')

// Checks that a change with the current tag succeeds and produces a new tag.
async function checkCurrentChange(
  call: TestCall,
  showCall: TestCall,
  before: TestResponse,
  session: TestSession,
): Promise<void> {
  const tag = before.headers.get('ETag') as string
  // Weak tags do not match with If-Match.
  if (tag.startsWith('W/')) return
  const { status } = await session.sendValid({ ...call, rawHeaders: { 'If-Match': tag } })
  assertLaw(
    status !== 412,
    'current-refused',
    () => `a change of the version that there is, ${tag}, is refused with 412`,
  )
  const after = await session.sendValid(showCall)
  if (status >= 300 || after.status !== 200 || after.text === before.text) return
  assertLaw(after.headers.get('ETag') !== tag, 'same-tag', () => `the element has changed, but its tag is still ${tag}`)
}

interface IdempotencyCase {
  readonly call: TestCall
  /** Another payload for the same key. */
  readonly other: unknown
}

/** A repeated request has one effect. */
export const idempotencyLaw: Law = defineLaw<IdempotencyCase>({
  name: 'idempotency',
  description:
    'A request that is sent again with its key gets the same response and has no second effect; a key is of one request.',
  needs: 'an action with the policy `idempotent`, and credentials that may call it',
  remedy: 'add the policy, or set `principals`',
  drawCase: (subject, action, draw) =>
    action.policies.has('idempotency') ? drawIdempotencyCase(subject, action, draw) : undefined,
  async run({ call, other }, session, subject) {
    const resource = subject.getResource(call.action)
    const list = resource?.create === call.action ? resource.list : undefined
    const listCall: TestCall | undefined = list && { ...call, action: list.action, headers: {}, payload: undefined }
    const countElements = async (): Promise<number> =>
      list && listCall ? (await readAllElements(list, listCall, session)).length : 0
    const before = await countElements()
    const keyed = { ...call, rawHeaders: { 'Idempotency-Key': `check-${subject.options.seed}-${subject.requests}` } }
    const first = await session.sendValid(keyed)
    if (first.status >= 300) throw new SkipCase('it has no effect')
    const second = await session.sendValid(keyed)
    assertLaw(isSameResponse(first, second) || second.status === first.status, 'repeated-status', () => {
      return `the first response is ${first.status}, the one to the same request ${second.status}`
    })
    assertLaw(
      first.text === second.text && first.headers.get('Location') === second.headers.get('Location'),
      'repeated',
      () => {
        return 'the same request with the same key has another response'
      },
    )
    const grown = (await countElements()) - before
    assertLaw(grown < 2, 'effect-twice', () => `one request, sent twice, made ${grown} elements`)
    await checkKeyIsolation(keyed, { resource, first }, session, subject)
    if (other === undefined) return
    const reused = await session.sendValid({ ...keyed, payload: other })
    assertLaw(
      reused.status >= 400,
      'key-reused',
      () => `the key of one request is taken for another one: ${reused.status}`,
    )
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
    if (one.other !== undefined) yield { ...one, other: undefined }
  },
})

/** The response to a create request with a key, and its resource. */
interface KeyedCreation {
  readonly resource: CheckedResource | undefined
  readonly first: TestResponse
}

/** Checks that a key of one client does not replay its response to another client that cannot see the element. */
async function checkKeyIsolation(
  keyed: TestCall,
  { resource, first }: KeyedCreation,
  session: TestSession,
  subject: Subject,
): Promise<void> {
  const other = [...subject.principals.keys()].find((one) => one !== keyed.principal)
  const element = resource && findCreatedElement(subject.knownElements, resource, keyed, first)
  if (resource?.show === undefined || element === undefined || subject.principals.size < 2 || first.text === '') return
  // Both clients may choose the same element key.
  if (hasSentKey(resource, keyed)) return
  const show: TestCall = {
    ...keyed,
    action: resource.show,
    principal: other,
    headers: {},
    payload: undefined,
    rawHeaders: {},
  }
  if ((await session.send(withElement(show, resource, element))).status < 400) return
  const theirs = await session.send({ ...keyed, principal: other })
  assertLaw(theirs.status >= 300 || theirs.text !== first.text, 'key-shared', () => {
    return `${other} gets the response to ${keyed.principal} for the same key, and does not see the element in it`
  })
}

function drawIdempotencyCase(subject: Subject, action: ResolvedAction, draw: Draw): IdempotencyCase | undefined {
  const call = drawCall(subject, action, draw, { bare: true })
  const other = call && drawCall(subject, action, draw, { principal: call.principal })?.payload
  const { attribute, files } = action.payload ?? {}
  if (call === undefined || attribute === undefined || files === true) return call && { call, other: undefined }
  const [first, second] = [call.payload, other].map((payload) => JSON.stringify(toJsonValue(attribute, payload)))
  return { call, other: first === second ? undefined : other }
}
