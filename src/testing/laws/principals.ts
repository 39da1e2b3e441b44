// Laws about several clients: one without credentials is refused, and a hidden element is shown in no other way.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { FilterExpression } from '../../plugins/lists/filters/expression.ts'
import { Broken, insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import { about, type Resource } from '../check/resource.ts'
import type { Session } from '../check/session.ts'
import { smallerCalls } from '../check/smaller.ts'
import { hasVerb, type Law, law } from './law.ts'
import { type Element, loadedAt, textOf, wholeOf } from './whole-list.ts'

/** Returns whether an action lets no client in that does not say who it is. */
const isClosed = ({ policies }: ResolvedAction): boolean => {
  const settings = policies.get('security')?.settings
  return Array.isArray(settings) && !settings.includes(null)
}

/** Clients without credentials are not let in. */
export const admission: Law = law<Call>({
  name: 'admission',
  says: 'An action that asks for credentials refuses clients without them, whatever requests came before.',
  draw: (subject, action, draw) => (isClosed(action) ? drawCall(subject, action, draw) : undefined),
  async run(call, session) {
    if (hasVerb(call.action, 'GET')) await session.valid(call)
    const nobody = { ...call, principal: NOBODY }
    const answer = await session.send(nobody)
    insist(answer.status === 401 || answer.status === 403, 'admitted', () => {
      return `the action asks for credentials, but without them the answer is ${answer.status}`
    })
  },
  smaller: smallerCalls,
})

/** A name that no client has. */
const NOBODY = 'nobody'

interface PairCase {
  readonly call: Call
  readonly other: string | undefined
}

/** The same request of the same client has the same response, whichever client sent one in between. */
export const clients: Law = law<PairCase>({
  name: 'clients',
  says: 'An answer to one client is not changed by what another one asks, and caches do not share answers that differ.',
  draw(subject, action, draw) {
    const names = [...subject.principals.keys()]
    const call = names.length > 1 && hasVerb(action, 'GET') ? drawCall(subject, action, draw) : undefined
    return call && { call, other: draw.pick(names.filter((one) => one !== call.principal)) }
  },
  async run({ call, other }, session) {
    const first = await session.valid(call)
    const again = await session.valid(call)
    if (first.text !== again.text || first.status !== again.status) throw new Void('the answers differ')
    const theirs = await session.valid({ ...call, principal: other })
    const last = await session.valid(call)
    insist(first.status === last.status && first.text === last.text, 'between', () => {
      return `after ${other} asked, the answer to ${call.principal} is another one`
    })
    insistPrivate(call, session, theirs.text !== first.text)
    restrictedIn(session)
  },
  smaller: function* ({ call, other }) {
    for (const one of smallerCalls(call)) yield { call: one, other }
  },
})

function insistPrivate(call: Call, session: Session, differ: boolean): void {
  const answers = session.exchanges.filter(({ answer }) => answer.status === 200).map(({ answer }) => answer)
  if (!differ || answers.length === 0) return
  for (const { headers } of answers) {
    const cache = headers.get('Cache-Control') ?? ''
    const vary = headers.get('Vary') ?? ''
    const isShared = /\bpublic\b|\bs-maxage=[1-9]/.test(cache) && !/\*|authorization|cookie/i.test(vary)
    insist(
      !isShared,
      'shared',
      () => `answers of ${call.action.endpoint.name} differ from client to client, but caches may share them: ${cache}`,
    )
  }
}

// An attribute that is required of those who see it is seen always or never.
function restrictedIn(session: Session): void {
  const seen = new Map<string, boolean>()
  for (const { call, answer } of session.exchanges) {
    if (answer.status !== 200) continue
    const forms = [...call.action.responses.values()]
      .filter(({ status }) => status === 200)
      .flatMap(({ bodies }) => bodies)
    const attribute = forms[0]?.attribute
    if (attribute === undefined) continue
    for (const [name, one] of Object.entries(attribute.core.shown)) {
      if (one.options.visibleTo?.required !== true) continue
      for (const element of Array.isArray(answer.body) ? answer.body : [answer.body]) {
        const key = `${call.principal} ${name}`
        const isThere = (element as Element | null)?.[name] !== undefined
        if (seen.has(key) && seen.get(key) !== isThere)
          throw new Broken('restricted', `${call.principal} sees '${name}' in one answer and not in another`)
        seen.set(key, isThere)
      }
    }
  }
}

// --- scopes ------------------------------------------------------------------------------

interface ScopeCase extends PairCase {
  readonly resource: Resource
  readonly does: 'show' | 'update' | 'remove' | 'filter'
  /** The call that must not lead to the other's element. */
  readonly reach: Call
}

/** An element that is missing in a client's list is given to it by no other action. */
export const scopes: Law = law<ScopeCase>({
  name: 'scopes',
  says: 'An element that one client finds in its list and another does not is neither shown to the other nor changed by it.',
  draw(subject, action, draw) {
    const resource = subject.resourceOf(action)
    const names = [...subject.principals.keys()]
    if (resource?.list === undefined || names.length < 2) return undefined
    const does = {
      show: resource.show,
      update: resource.update,
      remove: resource.remove,
      filter: resource.list.action,
    } as const
    const own = Object.entries(does).find(([, one]) => one === action)?.[0] as ScopeCase['does'] | undefined
    const call = own && drawCall(subject, resource.list.action, draw, { bare: true })
    if (call === undefined || own === undefined) return undefined
    const other = draw.pick(names.filter((one) => one !== call.principal))
    const reach = drawCall(subject, action, draw, { principal: other, bare: true, params: paramsIn(resource, call) })
    return reach && { resource, does: own, call, other, reach }
  },
  async run({ resource, does, call, other, reach }, session) {
    const list = resource.list as NonNullable<Resource['list']>
    const ours = await wholeOf(list, call, session)
    const theirs = await wholeOf(list, { ...call, principal: other }, session)
    const keyOf = (element: Element): string => textOf(resource.key.map((name) => element[name]))
    if (!ours.every((element) => resource.key.every((name) => element[name] !== undefined)))
      throw new Void('no key is shown')
    const known = new Set(theirs.map(keyOf))
    const hidden = ours.find((element) => !known.has(keyOf(element)))
    if (hidden === undefined) throw new Void('both see the same')
    const place = { ...paramsIn(resource, call), ...hidden }
    if (does === 'filter') return filtered(resource, hidden, { ...call, principal: other }, session)
    const mine = await look(resource, { ...call, principal: call.principal }, place, session)
    const answer = await session.send(about(reach, resource, place))
    insist(answer.status >= 400, 'leak', () => {
      return `${other} does not find the element of ${call.principal} in its list, but can ${does} it: ${answer.status}`
    })
    const after = await look(resource, { ...call, principal: call.principal }, place, session)
    insist(
      mine === after,
      'leak-changed',
      () => `the element of ${call.principal} was changed by ${other}, who was refused`,
    )
  },
  smaller: function* (one) {
    for (const reach of smallerCalls(one.reach)) yield { ...one, reach }
  },
})

const paramsIn = ({ inherited }: Resource, { params }: Call): Readonly<Record<string, unknown>> =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

async function look(resource: Resource, call: Call, place: Element, session: Session): Promise<string> {
  if (resource.show === undefined) return ''
  const { text } = await session.valid(about({ ...call, action: resource.show, headers: {} }, resource, place))
  return text
}

async function filtered({ list, key }: Resource, hidden: Element, call: Call, session: Session): Promise<void> {
  const { filters } = list as NonNullable<Resource['list']>
  const conditions = key.map((field): FilterExpression => {
    const { operators, attribute } = filters?.fields.get(field) ?? {}
    if (attribute === undefined || operators?.includes('=') !== true) throw new Void('nothing tells it apart')
    return { op: '=', field, any: [{ value: loadedAt(hidden, field, attribute) }] }
  })
  if (filters === undefined) return
  const expression: FilterExpression = { op: 'and', of: conditions }
  const found = await wholeOf(
    list as never,
    { ...call, params: { ...call.params, [filters.name]: expression } },
    session,
  )
  insist(found.length === 0, 'leak-filter', () => 'a filter finds an element that the list of the client does not have')
}
