// The law of near misses: a request that breaks one rule is refused with the place of what is wrong.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { plainForm } from '../../mock/values.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { escapePointer, INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { isWellFormed } from '../../schema/scalars/checks.ts'
import { nameMatcher } from '../../server/query/names.ts'
import { Broken, insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import { type Answer, codeOf } from '../check/judge.ts'
import { smallerCalls, without } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import { drawListParams } from '../lists/draw-list.ts'
import { listedBy } from '../lists/listed.ts'
import type { Draw } from '../values/draw.ts'
import { missesOf, type NearMiss } from '../values/near-misses.ts'
import { type Law, law } from './law.ts'

type Part = 'params' | 'headers' | 'payload'

interface MissCase {
  readonly call: Call
  readonly part: Part
  /** The name of the param or header; empty for a payload. */
  readonly name: string
  readonly rule: string
  /** The place of the error within its part. */
  readonly pointer: string
  /** The value stands in the path, where another route may take it. */
  readonly captured: boolean
}

/** Near misses are refused where they are wrong. */
export const invalid: Law = law<MissCase>({
  name: 'invalid',
  says: 'A request that breaks one rule of its declaration is refused with a 4xx that points at what is wrong.',
  draw: drawMiss,
  async run(one, session, subject) {
    const { call, rule } = one
    const answer = await session.send(call)
    const { status } = answer
    insist(status >= 400, 'accepted', () => `the request breaks the rule '${rule}' at ${placeOf(one)}, but is accepted`)
    // The answer to HEAD has no body to tell of the mistake.
    if (answer.verb === 'HEAD') return
    if (status !== subject.validationStatus || codeOf(answer) !== 'validation') {
      if (OTHERWISE.has(status) || (one.captured && status === 404)) throw new Void('it is refused for another reason')
      if (subject.problems === 'application/problem+json' && status === subject.validationStatus)
        throw new Void('it is refused elsewhere')
      // An encoder of the application's own may give failures other statuses.
      if (subject.problems !== 'application/problem+json') return
      throw new Broken('other-refusal', `the request breaks the rule '${rule}' at ${placeOf(one)}, but gives ${status}`)
    }
    checkPlace(one, answer)
  },
  smaller: function* (one) {
    const keeps = (call: Call): boolean =>
      one.part === 'payload' || call[one.part][one.name] === one.call[one.part][one.name]
    for (const call of smallerCalls(one.call)) if (keeps(call)) yield { ...one, call }
  },
})

/** Statuses of requests that are refused before they are read, or for their size. */
const OTHERWISE: ReadonlySet<number> = new Set([401, 403, 404, 409, 412, 413, 415, 428])

const placeOf = ({ part, name, pointer }: MissCase): string =>
  part === 'payload' ? `the payload${pointer}` : `${part === 'params' ? 'param' : 'header'} ${name}${pointer}`

function checkPlace(one: MissCase, { body }: Answer): void {
  const { errors = [] } = body as { readonly errors?: readonly { readonly in?: string; readonly pointer?: string }[] }
  const wanted = one.part === 'payload' ? one.pointer : `/${escapePointer(one.name)}${one.pointer}`
  const inBody = one.part === 'params' && one.call.action.routes.some(({ params }) => params === 'body')
  const isPart = (part: string | undefined): boolean => part === one.part || (inBody && part === 'payload')
  const isThere = errors.some(({ in: part, pointer }) => isPart(part) && sameText(pointer, wanted))
  insist(isThere, 'place', () => {
    const told = errors.map(({ in: part, pointer }) => `${part} ${pointer}`).join(', ')
    return `the request breaks the rule '${one.rule}' at ${placeOf(one)}, but the errors point at ${told || 'nothing'}`
  })
}

// Names of headers are told in any case.
const sameText = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

// --- cases -------------------------------------------------------------------------------

function drawMiss(subject: Subject, action: ResolvedAction, draw: Draw): MissCase | undefined {
  const call = drawCall(subject, action, draw, { bare: draw.percent(70), anyRoute: true })
  if (call === undefined) return undefined
  const given = new Set(
    [...subject.principals.values()].flatMap((one) => Object.keys(one).map((name) => name.toLowerCase())),
  )
  const captured = new Set(action.routes.flatMap(({ pattern }) => [...pattern.names, 'splat']))
  const inputs: (() => MissCase | undefined)[] = [
    ...Object.entries(action.params).map(
      ([name, one]) =>
        () =>
          paramMiss(call, { name, attribute: one, captured: captured.has(name) }, draw),
    ),
    ...listMisses(subject, call, draw),
    ...Object.entries(action.headers)
      .filter(([name]) => !given.has(name.toLowerCase()))
      .map(
        ([name, one]) =>
          () =>
            headerMiss(call, name, one, draw),
      ),
    () => strayParam(call, subject),
  ]
  const payload = (): MissCase | undefined => payloadMiss(call, subject, draw)
  if (action.payload !== undefined && draw.percent(60)) return payload()
  return (draw.pick(inputs) as () => MissCase | undefined)()
}

const refuses = (attribute: Attribute, text: string): boolean => {
  const loading = new Loading(true)
  return attribute.core.loader(text, loading) === INVALID || loading.issues !== null
}

/** Near misses of an attribute as texts. */
function textMisses(attribute: Attribute, draw: Draw): NearMiss[] {
  if (attribute.core.target !== undefined || attribute.core.defers) return []
  const misses = missesOf(attribute, draw, false)
  if (attribute.core.shape === 'value')
    return misses.flatMap((one) => {
      if (typeof one.value === 'object' || one.value === null) return []
      const value = String(one.value)
      // Text that is not well-formed cannot be written as UTF-8.
      return isWellFormed(value) && refuses(attribute, value) ? [{ ...one, value }] : []
    })
  return misses.filter(({ rule }) => SAID_IN_TEXT.has(rule))
}

/** Rules within structures that are broken in text too, where every value is a text and nothing is null. */
const SAID_IN_TEXT: ReadonlySet<string> = new Set([
  'max-items',
  'min',
  'max',
  'min-length',
  'max-length',
  'pattern',
  'values',
])

const isDue = ({ options }: Attribute): boolean => options.required === true && options.default === undefined

/** A param, and whether paths have its value. */
interface Param {
  readonly name: string
  readonly attribute: Attribute
  readonly captured: boolean
}

function paramMiss(call: Call, { name, attribute, captured }: Param, draw: Draw): MissCase | undefined {
  const base = { part: 'params' as const, name, captured }
  if (!captured && isDue(attribute) && draw.percent(30))
    return { ...base, call: { ...call, params: without(call.params, name) }, rule: 'missing', pointer: '' }
  const found = draw.pick(textMisses(attribute, draw).filter(({ value }) => !captured || isPathText(value)))
  if (found === undefined) return undefined
  const { rule, pointer, value } = found
  return { ...base, call: { ...call, params: { ...call.params, [name]: value } }, rule, pointer }
}

/** Texts of list params that are wrong in one character. */
function listMisses(subject: Subject, call: Call, draw: Draw): (() => MissCase | undefined)[] {
  const listed = listedBy(subject, call.action)
  if (listed === undefined) return []
  return Object.entries(drawListParams(listed, draw)).map(([name, value]) => () => {
    const attribute = call.action.params[name] as Attribute
    const text = plainForm(attribute, value)
    const changed = typeof text === 'string' ? miswritten(text, draw) : undefined
    if (changed === undefined || !isWellFormed(changed) || !refuses(attribute, changed)) return undefined
    const params = { ...call.params, [name]: changed }
    return { call: { ...call, params }, part: 'params', name, rule: 'syntax', pointer: '', captured: false }
  })
}

/** Signs that mean something in one param of a list or another. */
const SIGNS = ['&', '|', '(', ')', '!', '*', ',', '%', '{', '}', '=', '<', '-', "'", ';', '\0', '\u{1f600}']

function miswritten(text: string, draw: Draw): string {
  const characters = Array.from(text)
  const at = draw.below(characters.length + 1)
  const rest = [[], [draw.pick(SIGNS) as string, ...characters.slice(at)], characters.slice(at + 1)][
    draw.below(3)
  ] as string[]
  return [...characters.slice(0, at), ...rest].join('')
}

// Segments of dots are worked out before anybody sees them.
const isPathText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length < 2000 && !/^\.{1,2}$|[\0\ud800-\udfff/]/.test(value)

function headerMiss(call: Call, name: string, attribute: Attribute, draw: Draw): MissCase | undefined {
  const base = { part: 'headers' as const, name, captured: false }
  if (isDue(attribute) && draw.percent(40))
    return { ...base, call: { ...call, headers: without(call.headers, name) }, rule: 'missing', pointer: '' }
  const sendable = textMisses(attribute, draw).filter(({ value }) => /^[!-~](?:[ -~]*[!-~])?$/.test(String(value)))
  const found = draw.pick(sendable.filter(({ value }) => String(value).length < 4000))
  if (found === undefined) return undefined
  return {
    ...base,
    call: { ...call, headers: { ...call.headers, [name]: found.value } },
    rule: found.rule,
    pointer: found.pointer,
  }
}

const STRAY = 'undeclared'

function strayParam(call: Call, subject: Subject): MissCase | undefined {
  if (nameMatcher(subject.ignores(call.action))(STRAY) || Object.hasOwn(call.action.params, STRAY)) return undefined
  const params = { ...call.params, [STRAY]: '1' }
  return { call: { ...call, params }, part: 'params', name: STRAY, rule: 'unknown', pointer: '', captured: false }
}

function payloadMiss(call: Call, subject: Subject, draw: Draw): MissCase | undefined {
  const { payload } = call.action
  if (payload === undefined) return undefined
  const isJson = payload.consumes.some((type) => /[/+]json$/.test(type)) && !payload.files && payload.form !== 'text'
  const ignores = nameMatcher(subject.ignores(call.action))
  const misses = missesOf(payload.attribute, draw, false).filter(
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
