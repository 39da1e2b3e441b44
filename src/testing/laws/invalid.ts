// The law of near misses: a request that breaks one rule is refused with a pointer to the error.
import { attributeRules } from '../../design/attribute-rules.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { escapePointer, INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { isWellFormed } from '../../schema/value-checks.ts'
import { createNameMatcher } from '../../server/query/name-matcher.ts'
import { isJsonType } from '../../util/media-type.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { omitName, shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { findCheckedList } from '../lists/checked-list.ts'
import { drawListParams } from '../lists/draw-list-params.ts'
import { getProblemCode, type TestResponse } from '../session/check-response.ts'
import { assertLaw, LawViolation, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { Draw } from '../values/draw.ts'
import { drawNearMisses, type NearMiss } from '../values/near-misses.ts'

type InputPart = 'params' | 'headers' | 'payload'

interface NearMissCase {
  readonly call: TestCall
  readonly part: InputPart
  /** The name of the param or header; empty for a payload. */
  readonly name: string
  readonly rule: string
  /** The JSON Pointer of the error within its part. */
  readonly pointer: string
  /** Whether the value is in the path, where another route may match it. */
  readonly captured: boolean
}

/** Near misses are refused with the right pointer. */
export const invalidLaw: Law = defineLaw<NearMissCase>({
  name: 'invalid',
  description: 'A request that breaks one rule of its declaration is refused with a 4xx that points at what is wrong.',
  needs: 'an input that has a rule',
  remedy: 'declare types and limits of inputs',
  drawCase: drawNearMissCase,
  async run(one, session, subject) {
    const { call, rule } = one
    const response = await session.send(call)
    const { status } = response
    assertLaw(
      status >= 400,
      'accepted',
      () => `the request breaks the rule '${rule}' at ${describeInput(one)}, but is accepted`,
    )
    // The response to HEAD has no body that could describe the error.
    if (response.verb === 'HEAD') return
    if (status !== subject.validationStatus || getProblemCode(response) !== 'validation') {
      if (UNRELATED_STATUSES.has(status) || (one.captured && status === 404))
        throw new SkipCase('it is refused for another reason')
      if (subject.problems === 'application/problem+json' && status === subject.validationStatus)
        throw new SkipCase('it is refused elsewhere')
      // A custom encoder may use other statuses for failures.
      if (subject.problems !== 'application/problem+json') return
      throw new LawViolation(
        'other-refusal',
        `the request breaks the rule '${rule}' at ${describeInput(one)}, but gives ${status}`,
      )
    }
    checkErrorPointer(one, response)
  },
  shrink: function* (one) {
    const isKept = (call: TestCall): boolean =>
      one.part === 'payload' || call[one.part][one.name] === one.call[one.part][one.name]
    for (const call of shrinkCall(one.call)) if (isKept(call)) yield { ...one, call }
  },
})

/** Statuses of requests that are refused before they are read, or for their size. */
const UNRELATED_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 409, 412, 413, 415, 428])

const describeInput = ({ part, name, pointer }: NearMissCase): string =>
  part === 'payload' ? `the payload${pointer}` : `${part === 'params' ? 'param' : 'header'} ${name}${pointer}`

function checkErrorPointer(one: NearMissCase, { body }: TestResponse): void {
  const { errors = [] } = body as { readonly errors?: readonly { readonly in?: string; readonly pointer?: string }[] }
  const expected = one.part === 'payload' ? one.pointer : `/${escapePointer(one.name)}${one.pointer}`
  const inBody = one.part === 'params' && one.call.action.routes.some(({ params }) => params === 'body')
  const isPart = (part: string | undefined): boolean => part === one.part || (inBody && part === 'payload')
  const isThere = errors.some(({ in: part, pointer }) => isPart(part) && isSameText(pointer, expected))
  assertLaw(isThere, 'location', () => {
    const reported = errors.map(({ in: part, pointer }) => `${part} ${pointer}`).join(', ')
    return `the request breaks the rule '${one.rule}' at ${describeInput(one)}, but the errors point at ${reported || 'nothing'}`
  })
}

// Header names are case-insensitive.
const isSameText = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

// --- cases -------------------------------------------------------------------------------

function drawNearMissCase(subject: Subject, action: ResolvedAction, draw: Draw): NearMissCase | undefined {
  const call = drawCall(subject, action, draw, { bare: draw.chance(70), anyRoute: true })
  if (call === undefined) return undefined
  const credentialNames = new Set(
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
      .filter(([name]) => !credentialNames.has(name.toLowerCase()))
      .map(
        ([name, one]) =>
          () =>
            drawHeaderMiss(call, name, one, draw),
      ),
    () => createUndeclaredParamCase(call, subject),
  ]
  const drawMiss = (): NearMissCase | undefined => drawPayloadMiss(call, subject, draw)
  if (action.payload !== undefined && draw.chance(60)) return drawMiss()
  return (draw.pick(inputs) as () => NearMissCase | undefined)()
}

const isRefusedText = (attribute: Attribute, text: string): boolean => {
  const loading = new Loading('text')
  return attributeRules.getLoader(attribute)(text, loading) === INVALID || loading.issues !== null
}

/** Returns near misses of an attribute as strings. */
function drawTextMisses(attribute: Attribute, draw: Draw): NearMiss[] {
  if (attribute.core.target !== undefined || attributeRules.isAsync(attribute)) return []
  const misses = drawNearMisses(attribute, draw)
  if (attribute.core.shape === 'value')
    return misses.flatMap((one) => {
      if (typeof one.value === 'object' || one.value === null) return []
      const value = String(one.value)
      // Ill-formed UTF-16 cannot be encoded as UTF-8.
      return isWellFormed(value) && isRefusedText(attribute, value) ? [{ ...one, value }] : []
    })
  return misses.filter(({ rule }) => TEXT_RULES.has(rule))
}

/** Rules within structures that text can break, too, where every value is a string and nothing is null. */
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

/** A param, and whether the path captures it. */
interface ParamInput {
  readonly name: string
  readonly attribute: Attribute
  readonly captured: boolean
}

function drawParamMiss(
  call: TestCall,
  { name, attribute, captured }: ParamInput,
  draw: Draw,
): NearMissCase | undefined {
  const base = { part: 'params' as const, name, captured }
  if (!captured && isMandatory(attribute) && draw.chance(30))
    return { ...base, call: { ...call, params: omitName(call.params, name) }, rule: 'missing', pointer: '' }
  const found = draw.pick(drawTextMisses(attribute, draw).filter(({ value }) => !captured || isPathSegment(value)))
  if (found === undefined) return undefined
  const { rule, pointer, value } = found
  return { ...base, call: { ...call, params: { ...call.params, [name]: value } }, rule, pointer }
}

/** Returns functions that draw list params with a mutated character. */
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

/** Characters with a meaning in the syntax of some list param. */
const SYNTAX_CHARACTERS = ['&', '|', '(', ')', '!', '*', ',', '%', '{', '}', '=', '<', '-', "'", ';', '\0', '\u{1f600}']

function mutateText(text: string, draw: Draw): string {
  const characters = Array.from(text)
  const index = draw.integerBelow(characters.length + 1)
  const rest = [[], [draw.pick(SYNTAX_CHARACTERS) as string, ...characters.slice(index)], characters.slice(index + 1)][
    draw.integerBelow(3)
  ] as string[]
  return [...characters.slice(0, index), ...rest].join('')
}

// The URL parser resolves dot segments before the server sees them.
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
  if (
    createNameMatcher(subject.getIgnoredNames(call.action))(UNDECLARED_NAME) ||
    Object.hasOwn(call.action.params, UNDECLARED_NAME)
  )
    return undefined
  const params = { ...call.params, [UNDECLARED_NAME]: '1' }
  return {
    call: { ...call, params },
    part: 'params',
    name: UNDECLARED_NAME,
    rule: 'unknown',
    pointer: '',
    captured: false,
  }
}

function drawPayloadMiss(call: TestCall, subject: Subject, draw: Draw): NearMissCase | undefined {
  const { payload } = call.action
  if (payload === undefined) return undefined
  const isJson = payload.consumes.some(isJsonType) && !payload.files && payload.form !== 'text'
  const isIgnored = createNameMatcher(subject.getIgnoredNames(call.action))
  const misses = drawNearMisses(payload.attribute, draw).filter(
    ({ rule, pointer }) =>
      !(rule === 'unknown' && isIgnored(pointer.split('/').at(-1) as string)) && !(rule === 'null' && pointer === ''),
  )
  const found = draw.pick(payload.files ? misses.filter(({ rule }) => FILE_RULES.has(rule)) : misses)
  if (found === undefined || !(isJson || payload.files)) return undefined
  const { rule, pointer, value } = found
  const base = { part: 'payload' as const, name: '', rule, pointer, captured: false }
  if (payload.files) return payload.form === 'structure' ? { ...base, call: { ...call, payload: value } } : undefined
  return { ...base, call: { ...call, body: { json: value } } }
}

/** Rules that a form with files can break: its other values are text. */
const FILE_RULES: ReadonlySet<string> = new Set(['missing', 'unknown', 'max-length', 'file-type'])
