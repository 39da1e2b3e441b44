// The law of bodies: a malformed body is refused as a client error, not as a server error.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { shrinkCall } from '../check/shrink.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'

interface BodyCase {
  readonly call: TestCall
  readonly does: string
  readonly status: number
}

/** An invalid body and the expected status. */
interface BodyFlaw {
  readonly does: string
  readonly status: number
  readonly text: (json: string, action: ResolvedAction) => string | undefined
  readonly type?: string
}

const JSON_TYPE = 'application/json'

/** Larger bodies are not generated. */
const MAX_TEST_BYTES = 1 << 20

const BODY_FLAWS: readonly BodyFlaw[] = [
  { does: 'ends too early', status: 400, text: (json) => json.slice(0, -1) },
  { does: 'goes on behind its end', status: 400, text: (json) => `${json},` },
  { does: 'is nested too deep', status: 400, text: () => '['.repeat(2000) + ']'.repeat(2000) },
  { does: 'is of a type that the action does not take', status: 415, text: (json) => json, type: 'image/x-none' },
  {
    does: 'is larger than the action takes',
    status: 413,
    text: (json, { bodyLimit = Number.POSITIVE_INFINITY }) =>
      bodyLimit > MAX_TEST_BYTES ? undefined : json + ' '.repeat(bodyLimit),
  },
]

/** Malformed bodies are refused. */
export const bodiesLaw: Law = defineLaw<BodyCase>({
  name: 'bodies',
  description: 'A body that is not well-formed is a 400, one of another type a 415, and one that is too large a 413.',
  needs: 'an action with a payload',
  remedy: 'none, if no action takes a body',
  drawCase(subject, action, draw) {
    const flaw = isJsonAction(action) ? draw.pick(BODY_FLAWS) : undefined
    const call = flaw && drawCall(subject, action, draw, { bare: true })
    if (flaw === undefined || call?.payload === undefined || action.payload === undefined) return undefined
    const json = toJsonValue(action.payload.attribute, call.payload)
    const text = json === undefined ? undefined : flaw.text(JSON.stringify(json), action)
    if (text === undefined) return undefined
    const { does, status, type = JSON_TYPE } = flaw
    return { call: { ...call, body: { text }, rawHeaders: { 'Content-Type': type } }, does, status }
  },
  async run({ call, does, status }, session, subject) {
    const response = await session.send(call)
    // A custom encoder may use other statuses for failures.
    if (subject.problems !== 'application/problem+json' && response.status >= 400) return
    if (EARLIER_REFUSALS.has(response.status) && response.status !== status)
      throw new SkipCase('it is refused for another reason')
    assertLaw(response.status === status, 'body-status', () => {
      return `a body that ${does} is a ${status}, but the response is ${response.status}`
    })
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
  },
})

const isJsonAction = ({ payload }: ResolvedAction): boolean =>
  payload?.form === 'structure' && !payload.files && payload.consumes.includes(JSON_TYPE)

/** Statuses of requests that are refused before the body is read. */
const EARLIER_REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 409, 412, 413, 428])
