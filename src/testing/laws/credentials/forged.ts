// The law of credentials: forged ones, and those that the test names as invalid, are refused.
import { drawCall } from '../../check/draw-call.ts'
import { defineLaw, isAccessDenied, type Law } from '../../check/law.ts'
import { shrinkCall } from '../../check/shrink.ts'
import type { Subject } from '../../check/subject.ts'
import type { Credentials } from '../../session/check-options.ts'
import { assertLaw, SkipCase } from '../../session/law-errors.ts'
import { hasVerb, type TestCall } from '../../session/test-call.ts'
import { forgeBasic, forgeSecret } from '../../values/forged-credentials.ts'
import { isSecured, listSecrets } from './security-needs.ts'

interface ForgedCase {
  readonly call: TestCall
  /** A choice among the forgeries, modulo their number. */
  readonly at: number
}

/** Only credentials that were issued are accepted. */
export const credentialsLaw: Law = defineLaw<ForgedCase>({
  name: 'credentials',
  description: 'An action that requires credentials refuses forged, changed and expired ones.',
  needs: 'an action that requires credentials, and a client that has them',
  remedy: 'set `principals` to the credentials of clients',
  drawCase(subject, action, draw) {
    const call = isSecured(action) ? drawCall(subject, action, draw, { bare: true }) : undefined
    return call && { call, at: draw.integerBelow(1000) }
  },
  async run({ call, at }, session, subject) {
    const forged = await listForgeries(subject, call)
    const refused = [...subject.refused].map(([what, headers]) => ({ what: `the credentials '${what}'`, headers }))
    const chosen = [forged, refused].flatMap((some) => some[at % Math.max(1, some.length)] ?? [])
    if (chosen.length === 0) throw new SkipCase('the client has no credentials that can be changed')
    // A response that was kept for the client must not be found with them.
    if (hasVerb(call.action, 'GET')) await session.sendValid(call)
    for (const { what, headers } of chosen) {
      const { status } = await session.send({ ...call, rawHeaders: headers })
      assertLaw(isAccessDenied(status), 'forged', () => {
        return `${what} must get 401 or 403, but the response is ${status}`
      })
    }
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
  },
})

/** Headers that must be refused, and what is wrong with them. */
interface RefusedHeaders {
  readonly what: string
  readonly headers: Credentials
}

async function listForgeries({ principals }: Subject, { action, principal }: TestCall): Promise<RefusedHeaders[]> {
  const others = [...principals].filter(([name]) => name !== principal).map(([, headers]) => headers)
  const forgeries = listSecrets(action, principals.get(principal) ?? {}).map(async ({ secret, isBasic, write }) => {
    const other = others.flatMap((headers) => listSecrets(action, headers))[0]?.secret
    const forged = isBasic ? forgeBasic(secret) : await forgeSecret(secret, other)
    return forged.map(({ what, value }) => ({ what, headers: write(value) }))
  })
  return (await Promise.all(forgeries)).flat()
}
