// The law of logins: an action that takes a secret which another action was given accepts this secret only. Logins are recognised
// by what they take, not by names: the secret is sent when something is created, sent again, and never shown.
import { readShownPart } from '../../../design/fields/shown-part.ts'
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { drawCall } from '../../check/draw-call.ts'
import { defineLaw, type Law } from '../../check/law.ts'
import { shrinkCall } from '../../check/shrink.ts'
import type { Subject } from '../../check/subject.ts'
import { assertLaw, SkipCase } from '../../session/law-errors.ts'
import { hasVerb, type TestCall } from '../../session/test-call.ts'
import type { TestSession } from '../../session/test-session.ts'
import type { Draw } from '../../values/draw.ts'
import { drawExample, isValidValue } from '../../values/examples.ts'
import { type MemberPath, withMember } from '../../values/payload-members.ts'
import { UNKNOWN_PRINCIPAL } from './principals.ts'
import { isSecured } from './security-needs.ts'

interface LoginCase {
  readonly create: TestCall
  readonly login: TestCall
  /** The value that is sent wrongly: its path in the payload of the login, and the wrong value. */
  readonly secret: SentMember
  readonly wrong: unknown
  /** The other values of the login, each replaced by one that was never sent. */
  readonly unknown: readonly (readonly [MemberPath, unknown])[]
}

/** A secret opens only what it was given for. */
export const loginLaw: Law = defineLaw<LoginCase>({
  name: 'login',
  description: 'What accepts the secret of something that was created refuses another secret.',
  needs:
    'an open action that takes values which another one was given to create something, one of which is never shown',
  remedy: 'none, if clients get their credentials elsewhere',
  casesPerRound: 2,
  drawCase: drawLoginCase,
  async run({ create, login, secret, wrong, unknown }, session) {
    const created = await session.sendValid(create)
    if (created.status >= 300) throw new SkipCase('nothing was created')
    const accepted = await session.sendValid(login)
    if (accepted.status >= 300) throw new SkipCase('the values of the creation are refused')
    if (!(await refusesStrangers(login, unknown, session))) throw new SkipCase('it accepts anything')
    const payload = withMember(login.payload, secret.path, wrong)
    const { status } = await session.sendValid({ ...login, payload })
    assertLaw(status >= 400, 'wrong-secret', () => {
      return `'${secret.path.join('.')}' is not what it was created with, but the response is ${status}`
    })
  },
  shrink: function* (one) {
    for (const create of shrinkCall(one.create)) {
      const login = { ...one.login, payload: copyMembers(one.login, create) }
      if (JSON.stringify(login.payload) === JSON.stringify(one.login.payload)) yield { ...one, create }
    }
  },
})

// An action that declares 401 or 403 means to refuse; any other one shows it by refusing values that were never sent.
async function refusesStrangers(
  login: TestCall,
  unknown: LoginCase['unknown'],
  session: TestSession,
): Promise<boolean> {
  if (declaresDenial(login.action)) return true
  const payload = unknown.reduce((whole, [path, value]) => withMember(whole, path, value), login.payload)
  return (await session.sendValid({ ...login, payload })).status >= 400
}

const declaresDenial = ({ responses }: ResolvedAction): boolean =>
  [...responses.values()].some(({ status }) => status === 401 || status === 403)

function drawLoginCase(subject: Subject, action: ResolvedAction, draw: Draw): LoginCase | undefined {
  const members = isOpenWrite(action) ? listMembers(action) : undefined
  if (members === undefined || members.length < 2) return undefined
  const creations = subject.actions.filter((one) => one !== action && isOpenWrite(one) && givesAll(one, members))
  const creation = draw.pick(creations)
  const secrets = members.filter(({ name }) => !isShown(subject, name))
  const secret = draw.pick(secrets)
  if (creation === undefined || secret === undefined) return undefined
  const options = { principal: UNKNOWN_PRINCIPAL }
  const create = drawCall(subject, creation, draw, options)
  const blank = drawCall(subject, action, draw, { ...options, bare: true })
  if (create === undefined || blank === undefined) return undefined
  const login = { ...blank, payload: copyMembers(blank, create) }
  const wrong = drawOther(secret.attribute, readShownPart(login.payload, secret.path), draw)
  const unknown = members.map(({ path, attribute, name }) => [path, drawExample(attribute, draw, { name })] as const)
  return wrong === undefined ? undefined : { create, login, secret, wrong, unknown }
}

const isOpenWrite = (action: ResolvedAction): boolean =>
  hasVerb(action, 'POST') &&
  !isSecured(action) &&
  action.payload?.form === 'structure' &&
  action.routes[0]?.pattern.names.length === 0

/** A single value of a payload. */
interface SentMember {
  readonly name: string
  readonly path: MemberPath
  readonly attribute: Attribute
}

/** Returns the required single values of a payload, at any depth; undefined if it requires others. */
function listMembers({ payload }: ResolvedAction): SentMember[] | undefined {
  const members: SentMember[] = []
  const visit = (attribute: Attribute, path: MemberPath): boolean =>
    Object.entries(attribute.core.children).every(([name, one]) => {
      if (one.options.required !== true) return true
      const own = [...path, name]
      if (one.core.shape === 'object') return visit(one, own)
      members.push({ name, path: own, attribute: one })
      return one.core.scalar !== undefined
    })
  return payload !== undefined && visit(payload.attribute, []) ? members : undefined
}

const givesAll = (action: ResolvedAction, wanted: readonly SentMember[]): boolean => {
  const given = listMembers(action) ?? []
  return given.length >= wanted.length && wanted.every(({ name }) => given.some((one) => one.name === name))
}

/** Returns the payload of a call with the values that another call sends by the same names. */
function copyMembers({ action, payload }: TestCall, source: TestCall): unknown {
  const given = listMembers(source.action) ?? []
  return (listMembers(action) ?? []).reduce((whole, { name, path }) => {
    const from = given.find((one) => one.name === name)
    return withMember(whole, path, readShownPart(source.payload, from?.path ?? []))
  }, payload)
}

// A value that some response shows is none that only its owner knows.
function isShown(subject: Subject, name: string): boolean {
  const bodies = subject.actions.flatMap(({ responses }) => [...responses.values()].flatMap((one) => one.bodies))
  return bodies.some(({ attribute }) => attribute !== undefined && showsName(attribute, name, 0))
}

/** Names that are deeper are not looked for. */
const MAX_DEPTH = 8

function showsName({ core }: Attribute, name: string, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  const below = core.target ?? core.element
  if (below !== undefined) return showsName(below, name, depth + 1)
  return Object.entries(core.shown ?? {}).some(([own, one]) => own === name || showsName(one, name, depth + 1))
}

// Values that are almost right are more easily accepted than others.
function drawOther(attribute: Attribute, right: unknown, draw: Draw): unknown {
  const text = typeof right === 'string' ? Array.from(right) : []
  const near = [text.slice(0, -1).join(''), `${right}x`, [...text].reverse().join('')]
  const values = [
    ...(typeof right === 'string' && draw.chance(60) ? [draw.pick(near)] : []),
    drawExample(attribute, draw),
  ]
  return values.find((one) => one !== undefined && one !== null && one !== right && isValidValue(attribute, one))
}
