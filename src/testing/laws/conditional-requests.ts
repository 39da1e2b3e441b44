// Laws of conditional requests and of requests that are sent again.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import { type ConditionSettings, findConditionSettings } from '../../plugins/conditional/policy.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import { drawCall, drawChange } from '../check/draw-call.ts'
import type { TestResponse } from '../session/check-response.ts'
import { withElement, findCreatedElement, type CheckedResource } from '../check/checked-resource.ts'
import type { TestSession } from '../session/test-session.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { readAllElements } from './read-list.ts'
import type { Draw } from '../values/draw.ts'
import { isSameResponse } from './http.ts'
import { hasVerb, type Law, defineLaw } from '../check/law.ts'

/** A request for a known version is answered with 304; a change of another version is refused. */
export const conditionsLaw: Law = defineLaw<TestCall>({
  name: 'conditions',
  description: 'If-None-Match with the tag of an answer gives 304, with another tag 200, and a change of another version is refused.',
  casesPerRound: 2,
  drawCase(subject, action, draw) {
    const call = findConditionSettings(action).length > 0 ? drawCall(subject, action, draw, { bare: true }) : undefined
    // A change says something only where it changes something.
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
    const known = await session.sendValid({ ...call, raw })
    assertLaw(
      known.status === 304,
      'not-modified',
      () => `the version was not modified, but the answer is ${known.status}`,
    )
    assertLaw(known.text === '', 'not-modified-body', () => 'a 304 has a body')
    if (tag === null) return
    assertLaw(known.headers.get('ETag') === tag, 'not-modified-tag', () => 'a 304 has another tag than the 200')
    const other = await session.sendValid({ ...call, raw: { 'If-None-Match': '"another-version"' } })
    assertLaw(other.status === 200, 'modified', () => `the client has another version, but the answer is ${other.status}`)
    const meant = await session.sendValid({ ...call, raw: { 'If-Match': '"another-version"' } })
    assertLaw(meant.status === 412, 'precondition', () => `another version is meant, but the answer is ${meant.status}`)
  },
  shrink: shrinkCall,
})

async function checkConditionalChange(call: TestCall, session: TestSession, resource: CheckedResource | undefined): Promise<void> {
  const setting = findTagSettings(call.action)
  if (setting === undefined || setting.of === 'body' || !hasVerb(call.action, 'PUT', 'PATCH', 'DELETE'))
    throw new SkipCase('no version')
  if (resource?.show === undefined || findTagSettings(resource.show)?.of !== setting.of) throw new SkipCase('other versions')
  const shows = withElement({ ...call, action: resource.show, headers: {}, payload: undefined }, resource, call.params)
  const before = await session.sendValid(shows)
  if (before.status !== 200) throw new SkipCase('there is nothing to change')
  if (before.headers.get('ETag') === null) throw new SkipCase('it has no version')
  const refused = await session.sendValid({ ...call, raw: { 'If-Match': '"another-version"' } })
  assertLaw(
    refused.status >= 400,
    'stale-accepted',
    () => `a change of another version is accepted with ${refused.status}`,
  )
  if (setting.required === true) {
    const bare = await session.sendValid(call)
    assertLaw(
      bare.status === 428 || bare.status >= 400,
      'no-condition',
      () => `a change without its condition gives ${bare.status}`,
    )
  }
  const after = await session.sendValid(shows)
  assertLaw(after.text === before.text, 'stale-changed', () => 'a change that was refused has changed the element')
  await checkCurrentChange(call, shows, after, session)
}

const findTagSettings = (action: ResolvedAction): ConditionSettings | undefined =>
  findConditionSettings(action).find(({ by }) => by === 'tag')

// A change of the version that there is goes through, and makes another version.
async function checkCurrentChange(call: TestCall, shows: TestCall, before: TestResponse, session: TestSession): Promise<void> {
  const tag = before.headers.get('ETag') as string
  // Weak tags say nothing about changes.
  if (tag.startsWith('W/')) return
  const { status } = await session.sendValid({ ...call, raw: { 'If-Match': tag } })
  assertLaw(status !== 412, 'current-refused', () => `a change of the version that there is, ${tag}, is refused with 412`)
  const after = await session.sendValid(shows)
  if (status >= 300 || after.status !== 200 || after.text === before.text) return
  assertLaw(after.headers.get('ETag') !== tag, 'same-tag', () => `the element has changed, but its tag is still ${tag}`)
}

interface IdempotencyCase {
  readonly call: TestCall
  /** Another payload, for the same key. */
  readonly other: unknown
}

/** A request that is sent again has one effect. */
export const idempotencyLaw: Law = defineLaw<IdempotencyCase>({
  name: 'idempotency',
  description: 'A request that is sent again with its key gets the same answer and has no second effect; a key is of one request.',
  drawCase: (subject, action, draw) => (action.policies.has('idempotency') ? drawIdempotencyCase(subject, action, draw) : undefined),
  async run({ call, other }, session, subject) {
    const resource = subject.getResource(call.action)
    const list = resource?.create === call.action ? resource.list : undefined
    const lists: TestCall | undefined = list && { ...call, action: list.action, headers: {}, payload: undefined }
    const size = async (): Promise<number> => (list && lists ? (await readAllElements(list, lists, session)).length : 0)
    const before = await size()
    const again = { ...call, raw: { 'Idempotency-Key': `check-${subject.options.seed}-${subject.requests}` } }
    const first = await session.sendValid(again)
    if (first.status >= 300) throw new SkipCase('it has no effect')
    const second = await session.sendValid(again)
    assertLaw(isSameResponse(first, second) || second.status === first.status, 'repeated-status', () => {
      return `the first answer is ${first.status}, the one to the same request ${second.status}`
    })
    assertLaw(
      first.text === second.text && first.headers.get('Location') === second.headers.get('Location'),
      'repeated',
      () => {
        return 'the same request with the same key has another answer'
      },
    )
    const grown = (await size()) - before
    assertLaw(grown < 2, 'effect-twice', () => `one request, sent twice, made ${grown} elements`)
    await checkKeyIsolation(again, { resource, first }, session, subject)
    if (other === undefined) return
    const reused = await session.sendValid({ ...again, payload: other })
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

/** An element that was created with a key, and its resource. */
interface KeyedCreation {
  readonly resource: CheckedResource | undefined
  readonly first: TestResponse
}

/** Insists that the key of one client gives no other client the answer to it, where that one does not see its element. */
async function checkKeyIsolation(again: TestCall, { resource, first }: KeyedCreation, session: TestSession, subject: Subject): Promise<void> {
  const other = [...subject.principals.keys()].find((one) => one !== again.principal)
  const place = resource && findCreatedElement(subject.knownElements, resource, again, first)
  if (resource?.show === undefined || place === undefined || subject.principals.size < 2 || first.text === '') return
  // Keys that clients choose may be the same for both.
  if (resource.key.some((name) => Object.hasOwn(Object(again.payload), name))) return
  const show: TestCall = { ...again, action: resource.show, principal: other, headers: {}, payload: undefined, raw: {} }
  if ((await session.send(withElement(show, resource, place))).status < 400) return
  const theirs = await session.send({ ...again, principal: other })
  assertLaw(theirs.status >= 300 || theirs.text !== first.text, 'key-shared', () => {
    return `${other} gets the answer to ${again.principal} for the same key, and does not see the element in it`
  })
}

function drawIdempotencyCase(subject: Subject, action: ResolvedAction, draw: Draw): IdempotencyCase | undefined {
  const call = drawCall(subject, action, draw, { bare: true })
  const other = call && drawCall(subject, action, draw, { principal: call.principal })?.payload
  const { attribute, files } = action.payload ?? {}
  if (call === undefined || attribute === undefined || files === true) return call && { call, other: undefined }
  const [one, two] = [call.payload, other].map((payload) => JSON.stringify(toJsonValue(attribute, payload)))
  return { call, other: one === two ? undefined : other }
}
