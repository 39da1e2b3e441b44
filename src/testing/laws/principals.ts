// Laws about several clients: one without credentials is refused, and a hidden element is shown in no other way.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { LawViolation, assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import { drawCall } from '../check/draw-call.ts'
import type { TestSession } from '../session/test-session.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { hasVerb, type Law, defineLaw } from '../check/law.ts'

/** Returns whether an action lets no client in that does not say who it is. */
const isSecured = ({ policies }: ResolvedAction): boolean => {
  const settings = policies.get('security')?.settings
  return Array.isArray(settings) && !settings.includes(null)
}

/** Clients without credentials are not let in. */
export const admissionLaw: Law = defineLaw<TestCall>({
  name: 'admission',
  description: 'An action that asks for credentials refuses clients without them, whatever requests came before.',
  drawCase: (subject, action, draw) => (isSecured(action) ? drawCall(subject, action, draw) : undefined),
  async run(call, session) {
    if (hasVerb(call.action, 'GET')) await session.sendValid(call)
    const nobody = { ...call, principal: UNKNOWN_PRINCIPAL }
    const answer = await session.send(nobody)
    assertLaw(answer.status === 401 || answer.status === 403, 'admitted', () => {
      return `the action asks for credentials, but without them the answer is ${answer.status}`
    })
  },
  shrink: shrinkCall,
})

/** A name that no client has. */
const UNKNOWN_PRINCIPAL = 'nobody'

interface ClientPairCase {
  readonly call: TestCall
  readonly other: string | undefined
}

/** The same request of the same client has the same response, whichever client sent one in between. */
export const clientsLaw: Law = defineLaw<ClientPairCase>({
  name: 'clients',
  description: 'An answer to one client is not changed by what another one asks, and caches do not share answers that differ.',
  drawCase(subject, action, draw) {
    const names = [...subject.principals.keys()]
    const call = names.length > 1 && hasVerb(action, 'GET') ? drawCall(subject, action, draw) : undefined
    return call && { call, other: draw.pick(names.filter((one) => one !== call.principal)) }
  },
  async run({ call, other }, session) {
    const first = await session.sendValid(call)
    const again = await session.sendValid(call)
    if (first.text !== again.text || first.status !== again.status) throw new SkipCase('the answers differ')
    const theirs = await session.sendValid({ ...call, principal: other })
    const last = await session.sendValid(call)
    assertLaw(first.status === last.status && first.text === last.text, 'between', () => {
      return `after ${other} asked, the answer to ${call.principal} is another one`
    })
    assertPrivate(call, session, theirs.text !== first.text)
    checkRestrictedAttributes(session)
  },
  shrink: function* ({ call, other }) {
    for (const one of shrinkCall(call)) yield { call: one, other }
  },
})

function assertPrivate(call: TestCall, session: TestSession, differ: boolean): void {
  const answers = session.exchanges.filter(({ answer }) => answer.status === 200).map(({ answer }) => answer)
  if (!differ || answers.length === 0) return
  for (const { headers } of answers) {
    const cache = headers.get('Cache-Control') ?? ''
    const vary = headers.get('Vary') ?? ''
    const isShared = /\bpublic\b|\bs-maxage=[1-9]/.test(cache) && !/\*|authorization|cookie/i.test(vary)
    assertLaw(
      !isShared,
      'shared',
      () => `answers of ${call.action.endpoint.name} differ from client to client, but caches may share them: ${cache}`,
    )
  }
}

// An attribute that is required of those who see it is seen always or never.
function checkRestrictedAttributes(session: TestSession): void {
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
        const isThere = (element as JsonElement | null)?.[name] !== undefined
        if (seen.has(key) && seen.get(key) !== isThere)
          throw new LawViolation('restricted', `${call.principal} sees '${name}' in one answer and not in another`)
        seen.set(key, isThere)
      }
    }
  }
}
