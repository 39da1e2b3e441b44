// Differences between two JSON Schemas, in one direction.
import type { Direction, JsonSchema } from '../../schema/json-schema.ts'
import { isSame } from '../canonical.ts'
import { type Changes, type Effect, type Judge, namesOf, at as own, quoted, type Sides, verbFor } from './change.ts'
import { compareKeywords } from './keywords.ts'
import { compareRules, type Ruled } from './rules.ts'
import { type Shape, shapeOf } from './shape.ts'

/** A comparison of schemas on its way through them. */
export interface SchemaSite extends Sides {
  readonly direction: Direction
  /** Pairs of named schemas that are being compared further up. */
  readonly open: ReadonlySet<string>
}

/** Compares two schemas at a place. */
export function compareSchemas(old: JsonSchema, now: JsonSchema, place: string, site: SchemaSite): void {
  const [before, after] = [shapeOf(old, site.old), shapeOf(now, site.now)]
  const pair = before.name === undefined || after.name === undefined ? undefined : `${before.name} ${after.name}`
  if (pair !== undefined && site.open.has(pair)) return
  const inner = pair === undefined ? site : { ...site, open: new Set([...site.open, pair]) }
  const tell = site.changes.judge(site.direction, place)
  compareTexts(before, after, place, inner)
  const types = compareTypes(before, after, tell)
  if (types !== 'others') compareNull(before, after, tell)
  if (types !== 'alike') return
  compareKeywords(before.keywords, after.keywords, tell)
  if (before.rules.length > 0 || after.rules.length > 0) compareRules(ruledIn(before), ruledIn(after), tell)
  compareDefaults(before, after, place, inner)
  compareMembers(before, after, place, inner)
  compareElements(before, after, place, inner)
  compareVariants(before, after, place, inner)
}

function compareTexts(
  { keywords: old }: Shape,
  { keywords: now }: Shape,
  place: string,
  { changes }: SchemaSite,
): void {
  changes.text(place, 'description-changed', {
    what: 'its description',
    old: old['description'],
    now: now['description'],
  })
  const [was, is] = [old['deprecated'] === true, now['deprecated'] === true]
  if (was !== is)
    changes.add(
      'compatible',
      place,
      is ? 'deprecated-added' : 'deprecated-removed',
      `it is ${is ? '' : 'not '}deprecated now`,
    )
  const [hidden, hides] = [old['x-secret'] === true, now['x-secret'] === true]
  if (hidden !== hides)
    changes.add(
      'documentation',
      place,
      hides ? 'secret-added' : 'secret-removed',
      `it is ${hides ? '' : 'not '}a secret now`,
    )
  compareAudiences(old, now, place, changes)
  if (!isSame(old['examples'] ?? null, now['examples'] ?? null))
    changes.add('documentation', place, 'example-changed', 'its example was changed')
  for (const name of ['title', 'contentMediaType', '$comment'])
    changes.text(place, 'annotation-changed', { what: `its ${name}`, old: old[name], now: now[name] })
}

// Clients that no longer see an attribute miss it in responses, and are rejected if they send it.
function compareAudiences(old: JsonSchema, now: JsonSchema, place: string, changes: Changes): void {
  const [before, after] = [old, now].map((one) => one['x-visible-to'] as readonly string[] | undefined)
  if (isSame(before ?? null, after ?? null)) return
  const isWider = after === undefined || before?.every((name) => after.includes(name)) === true
  const whom = after === undefined ? 'everybody' : quoted(after)
  if (isWider) changes.add('compatible', place, 'visibility-widened', `it is visible to ${whom} now`)
  else changes.add('breaking', place, 'visibility-narrowed', `it is visible to ${whom} only`)
}

/** Compares types, and tells how much more there is to compare: between anything and a type only null, between others nothing. */
function compareTypes(old: Shape, now: Shape, tell: Judge): 'alike' | 'anything' | 'others' {
  const [before, after] = [typeOf(old.keywords), typeOf(now.keywords)]
  if (before === after) return 'alike'
  const effect = typeEffect(before, after)
  tell(effect, `type-${effect}`, `it is ${after} now, and was ${before}`)
  if (effect === 'changed') return 'others'
  return before === ANYTHING || after === ANYTHING ? 'anything' : 'alike'
}

function typeEffect(before: string, after: string): Effect {
  if (after === ANYTHING || (before === 'integer' && after === 'number')) return 'widened'
  return before === ANYTHING || (before === 'number' && after === 'integer') ? 'narrowed' : 'changed'
}

function compareNull({ nullable: old }: Shape, { nullable: now }: Shape, tell: Judge): void {
  if (now && !old) tell('widened', 'null-added', 'null is a value now')
  if (old && !now) tell('narrowed', 'null-removed', 'null is no value any more')
}

const ANYTHING = 'anything'

// The format of a text counts as a type.
function typeOf({ type, format, oneOf, anyOf, allOf }: JsonSchema): string {
  if (oneOf !== undefined || anyOf !== undefined || allOf !== undefined) return 'a choice'
  if (Array.isArray(type)) return type.join(' or ')
  if (type === undefined) return ANYTHING
  return FORMED.has(String(format)) ? `${type} (${format})` : String(type)
}

const FORMED: ReadonlySet<string> = new Set(['date', 'date-time', 'time'])

// --- defaults ------------------------------------------------------------------------

function compareDefaults(old: Shape, now: Shape, place: string, { direction, changes }: SchemaSite): void {
  const [before, after] = [old.keywords['default'], now.keywords['default']]
  if (isSame(before ?? null, after ?? null) && (before === undefined) === (after === undefined)) return
  const verb = verbFor(before, after)
  const texts = {
    added: `${JSON.stringify(after)} takes its place now where it is left out`,
    removed: `nothing takes its place any more where it is left out, as ${JSON.stringify(before)} did`,
    changed: `${JSON.stringify(after)} takes its place now where it is left out, not ${JSON.stringify(before)}`,
  }
  const inputKind = verb === 'added' ? 'compatible' : 'breaking'
  changes.add(direction === 'output' ? 'documentation' : inputKind, place, `default-${verb}`, texts[verb])
}

// --- structures ----------------------------------------------------------------------

type Properties = Readonly<Record<string, JsonSchema>>

function compareMembers({ keywords: old }: Shape, { keywords: now }: Shape, place: string, site: SchemaSite): void {
  const [before, after] = [(old['properties'] ?? {}) as Properties, (now['properties'] ?? {}) as Properties]
  const [needed, needs] = [requiredOf(old), requiredOf(now)]
  for (const name of namesOf(before, after)) {
    const at = below(place, name)
    const [was, is] = [own(before, name), own(after, name)]
    if (was === undefined) added(at, needs.includes(name), site)
    else if (is === undefined) removed(at, now['additionalProperties'] === false, site)
    else {
      compareRequired(needed.includes(name), needs.includes(name), at, site)
      compareSchemas(was, is, at, site)
    }
  }
  compareFreeNames(old['additionalProperties'], now['additionalProperties'], place, site)
}

const ruledIn = ({ rules, keywords }: Shape): Ruled => ({
  rules,
  names: Object.keys((keywords['properties'] ?? {}) as Properties),
  required: requiredOf(keywords),
})

const requiredOf = ({ required }: JsonSchema): readonly string[] => (required ?? []) as readonly string[]

const below = (place: string, name: string): string => `${place}.${name}`

function added(place: string, required: boolean, { direction, changes }: SchemaSite): void {
  if (direction === 'output') changes.add('compatible', place, 'attribute-added', 'it is new in what clients receive')
  else if (required) changes.add('breaking', place, 'required-added', 'it is new, and must be sent')
  else changes.add('compatible', place, 'attribute-added', 'it is new, and may be sent')
}

function removed(place: string, closed: boolean, { direction, changes }: SchemaSite): void {
  if (direction === 'output') changes.add('breaking', place, 'attribute-removed', 'clients do not receive it any more')
  else if (closed) changes.add('breaking', place, 'attribute-removed', 'clients that send it are refused now')
  else changes.add('compatible', place, 'attribute-removed', 'it is not looked at any more')
}

/** Compares whether something must be present. */
export function compareRequired(old: boolean, now: boolean, place: string, { direction, changes }: SchemaSite): void {
  if (old === now) return
  const verb = direction === 'input' ? 'be sent' : 'be present'
  const tell = changes.judge(direction, place)
  if (now) tell('narrowed', 'required', `it must ${verb} now`)
  else tell('widened', 'optional', `it need not ${verb} any more`)
}

function compareFreeNames(old: unknown, now: unknown, place: string, site: SchemaSite): void {
  const [before, after] = [old ?? true, now ?? true]
  if (isSame(before, after) && typeof before !== 'object') return
  const tell = site.changes.judge(site.direction, place)
  if (typeof before === 'object' && typeof after === 'object')
    compareSchemas(before as JsonSchema, after as JsonSchema, `${place}.*`, site)
  else if (before === true || after === false)
    tell('narrowed', 'other-names-refused', 'names that are not declared are refused now')
  else tell('widened', 'other-names-allowed', 'names that are not declared are allowed now')
}

// --- lists and choices ---------------------------------------------------------------

function compareElements({ keywords: old }: Shape, { keywords: now }: Shape, place: string, site: SchemaSite): void {
  const [before, after] = [old['items'], now['items']] as (JsonSchema | undefined)[]
  if (before !== undefined || after !== undefined) compareSchemas(before ?? {}, after ?? {}, `${place}[]`, site)
}

function compareVariants(old: Shape, now: Shape, place: string, site: SchemaSite): void {
  const [before, after] = [old.variants, now.variants]
  // All of several schemas hold together: what one more or less of them does depends on what it says.
  const together = old.keywords['allOf'] !== undefined || now.keywords['allOf'] !== undefined
  const tell = site.changes.judge(site.direction, place)
  if (old.discriminator !== now.discriminator)
    tell('changed', 'discriminator-changed', 'its variants are told apart by another name')
  for (const name of namesOf(before, after)) {
    const [was, is] = [own(before, name), own(after, name)]
    if (was !== undefined && is !== undefined) compareSchemas(was, is, `${place}<${name}>`, site)
    else if (was === undefined)
      tell(together ? 'changed' : 'widened', 'variant-added', `there is a new variant ${name}`)
    else tell(together ? 'changed' : 'narrowed', 'variant-removed', `there is no variant ${name} any more`)
  }
}
