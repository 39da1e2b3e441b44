// Laws of conditional requests and of requests that are sent again.
import { settingsIn } from '../../plugins/conditional/policy.ts'
import { insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import { about, type Resource } from '../check/resource.ts'
import type { Session } from '../check/session.ts'
import { smallerCalls } from '../check/smaller.ts'
import { isSame } from './http.ts'
import { hasVerb, type Law, law } from './law.ts'
import { wholeOf } from './whole-list.ts'

/** A request for a known version is answered with 304; a change of another version is refused. */
export const conditions: Law = law<Call>({
  name: 'conditions',
  says: 'If-None-Match with the tag of an answer gives 304, with another tag 200, and a change of another version is refused.',
  draw: (subject, action, draw) =>
    settingsIn(action).length > 0 ? drawCall(subject, action, draw, { bare: true }) : undefined,
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
  const [setting] = settingsIn(call.action)
  if (setting === undefined || setting.of === 'body' || !hasVerb(call.action, 'PUT', 'PATCH', 'DELETE'))
    throw new Void('no version')
  const shows =
    resource?.show && about({ ...call, action: resource.show, headers: {}, payload: undefined }, resource, call.params)
  const before = shows && (await session.valid(shows))
  if (before?.status !== 200) throw new Void('there is nothing to change')
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
  const after = await session.valid(shows as Call)
  insist(after.text === before.text, 'stale-changed', () => 'a change that was refused has changed the element')
}

/** A request that is sent again has one effect. */
export const idempotency: Law = law<Call>({
  name: 'idempotency',
  says: 'A request that is sent again with its key gets the same answer and has no second effect; a key is of one request.',
  draw: (subject, action, draw) =>
    action.policies.has('idempotency') ? drawCall(subject, action, draw, { bare: true }) : undefined,
  async run(call, session, subject) {
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
  },
  smaller: smallerCalls,
})
