// The law of near misses: a request that breaks one rule is refused with the place of what is wrong.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { escapePointer, INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { isWellFormed } from '../../schema/value-checks.ts'
import { createNameMatcher } from '../../server/query/name-matcher.ts'
import { LawViolation, assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import { drawCall } from '../check/draw-call.ts'
import { type TestResponse, getProblemCode } from '../session/check-response.ts'
import { shrinkCall, omitName } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { drawListParams } from '../lists/draw-list-params.ts'
import { findCheckedList } from '../lists/checked-list.ts'
import type { Draw } from '../values/draw.ts'
import { drawNearMisses, type NearMiss } from '../values/near-misses.ts'
import { type Law, defineLaw } from '../check/law.ts'

type InputPart = 'params' | 'headers' | 'payload'

interface NearMissCase {
  readonly call: TestCall
  readonly part: InputPart
  /** The name of the param or header; empty for a payload. */
  readonly name: string
  readonly rule: string
  /** The place of the error within its part. */
  readonly pointer: string
  /** The value stands in the path, where another route may take it. */
  readonly captured: boolean
}

/** Near misses are refused where they are wrong. */
export const invalidLaw: Law = defineLaw<NearMissCase>({
  name: 'invalid',
  description: 'A request that breaks one rule of its declaration is refused with a 4xx that points at what is wrong.',
  drawCase: drawNearMissCase,
  async run(one, session, subject) {
    const { call, rule } = one
    const answer = await session.send(call)
    const { status } = answer
    assertLaw(status >= 400, 'accepted', () => `the request breaks the rule '${rule}' at ${describeInput(one)}, but is accepted`)
    // The answer to HEAD has no body to tell of the mistake.
    if (answer.verb === 'HEAD') return
    if (status !== subject.validationStatus || getProblemCode(answer) !== 'validation') {
      if (UNRELATED_STATUSES.has(status) || (one.captured && status === 404)) throw new SkipCase('it is refused for another reason')
      if (subject.problems === 'application/problem+json' && status === subject.validationStatus)
        throw new SkipCase('it is refused elsewhere')
      // An encoder of the application's own may give failures other statuses.
      if (subject.problems !== 'application/problem+json') return
      throw new LawViolation('other-refusal', `the request breaks the rule '${rule}' at ${describeInput(one)}, but gives ${status}`)
    }
    checkErrorPointer(one, answer)
  },
  shrink: function* (one) {
    const keeps = (call: TestCall): boolean =>
      one.part === 'payload' || call[one.part][one.name] === one.call[one.part][one.name]
    for (const call of shrinkCall(one.call)) if (keeps(call)) yield { ...one, call }
  },
})

/** Statuses of requests that are refused before they are read, or for their size. */
const UNRELATED_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 409, 412, 413, 415, 428])

const describeInput = ({ part, name, pointer }: NearMissCase): string =>
  part === 'payload' ? `the payload${pointer}` : `${part === 'params' ? 'param' : 'header'} ${name}${pointer}`

function checkErrorPointer(one: NearMissCase, { body }: TestResponse): void {
  const { errors = [] } = body as { readonly errors?: readonly { readonly in?: string; readonly pointer?: string }[] }
  const wanted = one.part === 'payload' ? one.pointer : `/${escapePointer(one.name)}${one.pointer}`
  const inBody = one.part === 'params' && one.call.action.routes.some(({ params }) => params === 'body')
  const isPart = (part: string | undefined): boolean => part === one.part || (inBody && part === 'payload')
  const isThere = errors.some(({ in: part, pointer }) => isPart(part) && isSameText(pointer, wanted))
  assertLaw(isThere, 'place', () => {
    const told = errors.map(({ in: part, pointer }) => `${part} ${pointer}`).join(', ')
    return `the request breaks the rule '${one.rule}' at ${describeInput(one)}, but the errors point at ${told || 'nothing'}`
  })
}

// Names of headers are told in any case.
const isSameText = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

// --- cases -------------------------------------------------------------------------------

function drawNearMissCase(subject: Subject, action: ResolvedAction, draw: Draw): NearMissCase | undefined {
  const call = drawCall(subject, action, draw, { bare: draw.chance(70), anyRoute: true })
  if (call === undefined) return undefined
  const given = new Set(
    [...subject.principals.values()].flatMap((one) => Object.keys(one).map((name) => name.toLowerCase())),
  )
  const captured = new Set(action.routes.flatMap(({ pattern }) => [...pattern.names, 'splat']))
  const inputs: (() => NearMissCase | undefined)[] = [
    ...Object.entries(action.params).map(
      ([name, one]) =>
        () =>
          drawParamMiss(call, { name, attribute: one, captured: captured.has(name) }, draw),
    ),
    ...prepareListMisses(subject, call, draw),
    ...Object.entries(action.headers)
      .filter(([name]) => !given.has(name.toLowerCase()))
      .map(
        ([name, one]) =>
          () =>
            drawHeaderMiss(call, name, one, draw),
      ),
    () => createUndeclaredParamCase(call, subject),
  ]
  const payload = (): NearMissCase | undefined => drawPayloadMiss(call, subject, draw)
  if (action.payload !== undefined && draw.chance(60)) return payload()
  return (draw.pick(inputs) as () => NearMissCase | undefined)()
}

const isRefusedText = (attribute: Attribute, text: string): boolean => {
  const loading = new Loading(true)
  return attribute.core.loader(text, loading) === INVALID || loading.issues !== null
}

/** Near misses of an attribute as texts. */
function drawTextMisses(attribute: Attribute, draw: Draw): NearMiss[] {
  if (attribute.core.target !== undefined || attribute.core.defers) return []
  const misses = drawNearMisses(attribute, draw, false)
  if (attribute.core.shape === 'value')
    return misses.flatMap((one) => {
      if (typeof one.value === 'object' || one.value === null) return []
      const value = String(one.value)
      // Text that is not well-formed cannot be written as UTF-8.
      return isWellFormed(value) && isRefusedText(attribute, value) ? [{ ...one, value }] : []
    })
  return misses.filter(({ rule }) => TEXT_RULES.has(rule))
}

/** Rules within structures that are broken in text too, where every value is a text and nothing is null. */
const TEXT_RULES: ReadonlySet<string> = new Set([
  'max-items',
  'min',
  'max',
  'min-length',
  'max-length',
  'pattern',
  'values',
])

const isMandatory = ({ options }: Attribute): boolean => options.required === true && options.default === undefined

/** A param, and whether paths have its value. */
interface ParamInput {
  readonly name: string
  readonly attribute: Attribute
  readonly captured: boolean
}

function drawParamMiss(call: TestCall, { name, attribute, captured }: ParamInput, draw: Draw): NearMissCase | undefined {
  const base = { part: 'params' as const, name, captured }
  if (!captured && isMandatory(attribute) && draw.chance(30))
    return { ...base, call: { ...call, params: omitName(call.params, name) }, rule: 'missing', pointer: '' }
  const found = draw.pick(drawTextMisses(attribute, draw).filter(({ value }) => !captured || isPathSegment(value)))
  if (found === undefined) return undefined
  const { rule, pointer, value } = found
  return { ...base, call: { ...call, params: { ...call.params, [name]: value } }, rule, pointer }
}

/** Texts of list params that are wrong in one character. */
function prepareListMisses(subject: Subject, call: TestCall, draw: Draw): (() => NearMissCase | undefined)[] {
  const listed = findCheckedList(subject, call.action)
  if (listed === undefined) return []
  return Object.entries(drawListParams(listed, draw)).map(([name, value]) => () => {
    const attribute = call.action.params[name] as Attribute
    const text = toJsonValue(attribute, value)
    const changed = typeof text === 'string' ? mutateText(text, draw) : undefined
    if (changed === undefined || !isWellFormed(changed) || !isRefusedText(attribute, changed)) return undefined
    const params = { ...call.params, [name]: changed }
    return { call: { ...call, params }, part: 'params', name, rule: 'syntax', pointer: '', captured: false }
  })
}

/** Signs that mean something in one param of a list or another. */
const SYNTAX_CHARACTERS = ['&', '|', '(', ')', '!', '*', ',', '%', '{', '}', '=', '<', '-', "'", ';', '\0', '\u{1f600}']

function mutateText(text: string, draw: Draw): string {
  const characters = Array.from(text)
  const at = draw.integerBelow(characters.length + 1)
  const rest = [[], [draw.pick(SYNTAX_CHARACTERS) as string, ...characters.slice(at)], characters.slice(at + 1)][
    draw.integerBelow(3)
  ] as string[]
  return [...characters.slice(0, at), ...rest].join('')
}

// Segments of dots are worked out before anybody sees them.
const isPathSegment = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length < 2000 && !/^\.{1,2}$|[\0\ud800-\udfff/]/.test(value)

function drawHeaderMiss(call: TestCall, name: string, attribute: Attribute, draw: Draw): NearMissCase | undefined {
  const base = { part: 'headers' as const, name, captured: false }
  if (isMandatory(attribute) && draw.chance(40))
    return { ...base, call: { ...call, headers: omitName(call.headers, name) }, rule: 'missing', pointer: '' }
  const sendable = drawTextMisses(attribute, draw).filter(({ value }) => /^[!-~](?:[ -~]*[!-~])?$/.test(String(value)))
  const found = draw.pick(sendable.filter(({ value }) => String(value).length < 4000))
  if (found === undefined) return undefined
  return {
    ...base,
    call: { ...call, headers: { ...call.headers, [name]: found.value } },
    rule: found.rule,
    pointer: found.pointer,
  }
}

const UNDECLARED_NAME = 'undeclared'

function createUndeclaredParamCase(call: TestCall, subject: Subject): NearMissCase | undefined {
  if (createNameMatcher(subject.getIgnoredNames(call.action))(UNDECLARED_NAME) || Object.hasOwn(call.action.params, UNDECLARED_NAME)) return undefined
  const params = { ...call.params, [UNDECLARED_NAME]: '1' }
  return { call: { ...call, params }, part: 'params', name: UNDECLARED_NAME, rule: 'unknown', pointer: '', captured: false }
}

function drawPayloadMiss(call: TestCall, subject: Subject, draw: Draw): NearMissCase | undefined {
  const { payload } = call.action
  if (payload === undefined) return undefined
  const isJson = payload.consumes.some((type) => /[/+]json$/.test(type)) && !payload.files && payload.form !== 'text'
  const ignores = createNameMatcher(subject.getIgnoredNames(call.action))
  const misses = drawNearMisses(payload.attribute, draw, false).filter(
    ({ rule, pointer }) =>
      !(rule === 'unknown' && ignores(pointer.split('/').at(-1) as string)) && !(rule === 'null' && pointer === ''),
  )
  const found = draw.pick(payload.files ? misses.filter(({ rule }) => FILE_RULES.has(rule)) : misses)
  if (found === undefined || !(isJson || payload.files)) return undefined
  const { rule, pointer, value } = found
  const base = { part: 'payload' as const, name: '', rule, pointer, captured: false }
  if (payload.files) return payload.form === 'structure' ? { ...base, call: { ...call, payload: value } } : undefined
  return { ...base, call: { ...call, body: { json: value } } }
}

/** Rules that a form with files can break: everything else in it is text. */
const FILE_RULES: ReadonlySet<string> = new Set(['missing', 'unknown', 'max-length', 'file-type'])
