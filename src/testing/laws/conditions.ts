// Laws of conditional requests and of requests that are sent again.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { plainForm } from '../../mock/values.ts'
import { type ConditionSettings, settingsIn } from '../../plugins/conditional/policy.ts'
import { insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall, drawChange } from '../check/draw-call.ts'
import type { Answer } from '../check/judge.ts'
import { about, createdBy, type Resource } from '../check/resource.ts'
import type { Session } from '../check/session.ts'
import { smallerCalls } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import { wholeOf } from '../lists/whole-list.ts'
import type { Draw } from '../values/draw.ts'
import { isSame } from './http.ts'
import { hasVerb, type Law, law } from './law.ts'

/** A request for a known version is answered with 304; a change of another version is refused. */
export const conditions: Law = law<Call>({
  name: 'conditions',
  says: 'If-None-Match with the tag of an answer gives 304, with another tag 200, and a change of another version is refused.',
  times: 2,
  draw(subject, action, draw) {
    const call = settingsIn(action).length > 0 ? drawCall(subject, action, draw, { bare: true }) : undefined
    // A change says something only where it changes something.
    return call?.payload === undefined ? call : (drawChange(call, subject, draw) ?? call)
  },
  async run(call, session, subject) {
    if (!hasVerb(call.action, 'GET')) return changed(call, session, subject.resourceOf(call.action))
    const first = await session.valid(call)
    const tag = first.headers.get('ETag')
    const date = first.headers.get('Last-Modified')
    if (first.status !== 200) throw new Void('there is nothing')
    if (tag === null && date === null) throw new Void('it has no version')
    const raw: Record<string, string> =
      tag === null ? { 'If-Modified-Since': date as string } : { 'If-None-Match': tag }
    const known = await session.valid({ ...call, raw })
    insist(
      known.status === 304,
      'not-modified',
      () => `the version was not modified, but the answer is ${known.status}`,
    )
    insist(known.text === '', 'not-modified-body', () => 'a 304 has a body')
    if (tag === null) return
    insist(known.headers.get('ETag') === tag, 'not-modified-tag', () => 'a 304 has another tag than the 200')
    const other = await session.valid({ ...call, raw: { 'If-None-Match': '"another-version"' } })
    insist(other.status === 200, 'modified', () => `the client has another version, but the answer is ${other.status}`)
    const meant = await session.valid({ ...call, raw: { 'If-Match': '"another-version"' } })
    insist(meant.status === 412, 'precondition', () => `another version is meant, but the answer is ${meant.status}`)
  },
  smaller: smallerCalls,
})

async function changed(call: Call, session: Session, resource: Resource | undefined): Promise<void> {
  const setting = tagOf(call.action)
  if (setting === undefined || setting.of === 'body' || !hasVerb(call.action, 'PUT', 'PATCH', 'DELETE'))
    throw new Void('no version')
  if (resource?.show === undefined || tagOf(resource.show)?.of !== setting.of) throw new Void('other versions')
  const shows = about({ ...call, action: resource.show, headers: {}, payload: undefined }, resource, call.params)
  const before = await session.valid(shows)
  if (before.status !== 200) throw new Void('there is nothing to change')
  if (before.headers.get('ETag') === null) throw new Void('it has no version')
  const refused = await session.valid({ ...call, raw: { 'If-Match': '"another-version"' } })
  insist(
    refused.status >= 400,
    'stale-accepted',
    () => `a change of another version is accepted with ${refused.status}`,
  )
  if (setting.required === true) {
    const bare = await session.valid(call)
    insist(
      bare.status === 428 || bare.status >= 400,
      'no-condition',
      () => `a change without its condition gives ${bare.status}`,
    )
  }
  const after = await session.valid(shows)
  insist(after.text === before.text, 'stale-changed', () => 'a change that was refused has changed the element')
  await changedOf(call, shows, after, session)
}

const tagOf = (action: ResolvedAction): ConditionSettings | undefined =>
  settingsIn(action).find(({ by }) => by === 'tag')

// A change of the version that there is goes through, and makes another version.
async function changedOf(call: Call, shows: Call, before: Answer, session: Session): Promise<void> {
  const tag = before.headers.get('ETag') as string
  // Weak tags say nothing about changes.
  if (tag.startsWith('W/')) return
  const { status } = await session.valid({ ...call, raw: { 'If-Match': tag } })
  insist(status !== 412, 'current-refused', () => `a change of the version that there is, ${tag}, is refused with 412`)
  const after = await session.valid(shows)
  if (status >= 300 || after.status !== 200 || after.text === before.text) return
  insist(after.headers.get('ETag') !== tag, 'same-tag', () => `the element has changed, but its tag is still ${tag}`)
}

interface KeyCase {
  readonly call: Call
  /** Another payload, for the same key. */
  readonly other: unknown
}

/** A request that is sent again has one effect. */
export const idempotency: Law = law<KeyCase>({
  name: 'idempotency',
  says: 'A request that is sent again with its key gets the same answer and has no second effect; a key is of one request.',
  draw: (subject, action, draw) => (action.policies.has('idempotency') ? drawKey(subject, action, draw) : undefined),
  async run({ call, other }, session, subject) {
    const resource = subject.resourceOf(call.action)
    const list = resource?.create === call.action ? resource.list : undefined
    const lists: Call | undefined = list && { ...call, action: list.action, headers: {}, payload: undefined }
    const size = async (): Promise<number> => (list && lists ? (await wholeOf(list, lists, session)).length : 0)
    const before = await size()
    const again = { ...call, raw: { 'Idempotency-Key': `check-${subject.options.seed}-${subject.requests}` } }
    const first = await session.valid(again)
    if (first.status >= 300) throw new Void('it has no effect')
    const second = await session.valid(again)
    insist(isSame(first, second) || second.status === first.status, 'repeated-status', () => {
      return `the first answer is ${first.status}, the one to the same request ${second.status}`
    })
    insist(
      first.text === second.text && first.headers.get('Location') === second.headers.get('Location'),
      'repeated',
      () => {
        return 'the same request with the same key has another answer'
      },
    )
    const grown = (await size()) - before
    insist(grown < 2, 'effect-twice', () => `one request, sent twice, made ${grown} elements`)
    await keptApart(again, { resource, first }, session, subject)
    if (other === undefined) return
    const reused = await session.valid({ ...again, payload: other })
    insist(
      reused.status >= 400,
      'key-reused',
      () => `the key of one request is taken for another one: ${reused.status}`,
    )
  },
  smaller: function* (one) {
    for (const call of smallerCalls(one.call)) yield { ...one, call }
    if (one.other !== undefined) yield { ...one, other: undefined }
  },
})

/** An element that was created with a key, and its resource. */
interface Keyed {
  readonly resource: Resource | undefined
  readonly first: Answer
}

/** Insists that the key of one client gives no other client the answer to it, where that one does not see its element. */
async function keptApart(again: Call, { resource, first }: Keyed, session: Session, subject: Subject): Promise<void> {
  const other = [...subject.principals.keys()].find((one) => one !== again.principal)
  const place = resource && createdBy(subject.places, resource, again, first)
  if (resource?.show === undefined || place === undefined || subject.principals.size < 2 || first.text === '') return
  // Keys that clients choose may be the same for both.
  if (resource.key.some((name) => Object.hasOwn(Object(again.payload), name))) return
  const show: Call = { ...again, action: resource.show, principal: other, headers: {}, payload: undefined, raw: {} }
  if ((await session.send(about(show, resource, place))).status < 400) return
  const theirs = await session.send({ ...again, principal: other })
  insist(theirs.status >= 300 || theirs.text !== first.text, 'key-shared', () => {
    return `${other} gets the answer to ${again.principal} for the same key, and does not see the element in it`
  })
}

function drawKey(subject: Subject, action: ResolvedAction, draw: Draw): KeyCase | undefined {
  const call = drawCall(subject, action, draw, { bare: true })
  const other = call && drawCall(subject, action, draw, { principal: call.principal })?.payload
  const { attribute, files } = action.payload ?? {}
  if (call === undefined || attribute === undefined || files === true) return call && { call, other: undefined }
  const [one, two] = [call.payload, other].map((payload) => JSON.stringify(plainForm(attribute, payload)))
  return { call, other: one === two ? undefined : other }
}
