// Laws about several clients: one without credentials is refused, and responses to one client do not depend on another.
import { drawCall } from '../../check/draw-call.ts'
import { defineLaw, type Law } from '../../check/law.ts'
import { readElements } from '../../check/shown-elements.ts'
import { shrinkCall } from '../../check/shrink.ts'
import { assertLaw, LawViolation, SkipCase } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import { hasVerb } from '../../session/test-call.ts'
import type { TestSession } from '../../session/test-session.ts'
import { replaceTokens } from '../../values/jwt.ts'
import { isSecured } from './security-needs.ts'

/** Clients without credentials are refused. */
export const admissionLaw: Law = defineLaw<TestCall>({
  name: 'admission',
  description: 'An action that requires credentials refuses clients without them, whatever requests came before.',
  needs: 'an action that requires credentials',
  remedy: 'none, if the API is open to everybody',
  drawCase: (subject, action, draw) => (isSecured(action) ? drawCall(subject, action, draw) : undefined),
  async run(call, session) {
    if (hasVerb(call.action, 'GET')) await session.sendValid(call)
    const anonymous = { ...call, principal: UNKNOWN_PRINCIPAL }
    const response = await session.send(anonymous)
    assertLaw(response.status === 401 || response.status === 403, 'admitted', () => {
      return `the action requires credentials, but without them the response is ${response.status}`
    })
  },
  shrink: shrinkCall,
})

/** The name of a client that does not exist. */
export const UNKNOWN_PRINCIPAL = 'nobody'

interface ClientPairCase {
  readonly call: TestCall
  readonly other: string | undefined
}

/** Equal requests of one client get equal responses, whichever client sends one in between. */
export const clientsLaw: Law = defineLaw<ClientPairCase>({
  name: 'clients',
  description:
    'A response to one client is not changed by the requests of another, and caches do not share responses that differ.',
  needs: 'a GET that two clients may send',
  remedy: 'set `principals` to the credentials of at least two clients',
  drawCase(subject, action, draw) {
    const names = [...subject.principals.keys()]
    const call = names.length > 1 && hasVerb(action, 'GET') ? drawCall(subject, action, draw) : undefined
    return call && { call, other: draw.pick(names.filter((one) => one !== call.principal)) }
  },
  async run({ call, other }, session) {
    const first = await session.sendValid(call)
    const again = await session.sendValid(call)
    if (first.text !== again.text || first.status !== again.status) throw new SkipCase('the responses differ')
    const otherResponse = await session.sendValid({ ...call, principal: other })
    const last = await session.sendValid(call)
    const isSame = first.status === last.status && replaceTokens(first.text) === replaceTokens(last.text)
    assertLaw(isSame, 'between', () => {
      return `after a request of ${other}, the response to ${call.principal} is another one`
    })
    assertPrivate(call, session, otherResponse.text !== first.text)
    checkRestrictedAttributes(session)
  },
  shrink: function* ({ call, other }) {
    for (const one of shrinkCall(call)) yield { call: one, other }
  },
})

function assertPrivate(call: TestCall, session: TestSession, isDifferent: boolean): void {
  const responses = session.exchanges
    .filter(({ response }) => response.status === 200)
    .map(({ response: answer }) => answer)
  if (!isDifferent || responses.length === 0) return
  for (const { headers } of responses) {
    const cache = headers.get('Cache-Control') ?? ''
    const vary = headers.get('Vary') ?? ''
    const isShared = /\bpublic\b|\bs-maxage=[1-9]/.test(cache) && !/\*|authorization|cookie/i.test(vary)
    assertLaw(
      !isShared,
      'shared',
      () =>
        `responses of ${call.action.endpoint.name} differ from client to client, but caches may share them: ${cache}`,
    )
  }
}

// An attribute that is required for the clients that can see it is present in all of their responses or in none.
function checkRestrictedAttributes(session: TestSession): void {
  const seen = new Map<string, boolean>()
  for (const { call, response } of session.exchanges) {
    if (response.status !== 200) continue
    const { shown, elements } = readElements(call.action, response.body)
    for (const [name, one] of Object.entries(shown)) {
      if (one.options.visibleTo?.required !== true) continue
      for (const element of elements) {
        const key = `${call.principal} ${name}`
        const isThere = element[name] !== undefined
        if (seen.has(key) && seen.get(key) !== isThere)
          throw new LawViolation('restricted', `${call.principal} sees '${name}' in one response and not in another`)
        seen.set(key, isThere)
      }
    }
  }
}
