// Differences between two JSON Schemas, in one direction.
import type { Direction, JsonSchema } from '../../schema/json-schema.ts'
import { isSameData } from '../canonical.ts'
import { type ChangeCollector, type ChangeEffect, type JudgeChange, collectNames, getRecordValue as own, quoteList, type ComparedContracts, getChangeVerb } from './change.ts'
import { compareKeywords } from './compare-keywords.ts'
import { compareRules, type RuleSet } from './compare-rules.ts'
import { type SchemaShape, readSchemaShape } from './schema-shape.ts'

/** A comparison of schemas on its way through them. */
export interface SchemaComparison extends ComparedContracts {
  readonly direction: Direction
  /** Pairs of named schemas that are being compared further up. */
  readonly open: ReadonlySet<string>
}

/** Compares two schemas at a place. */
export function compareSchemas(old: JsonSchema, now: JsonSchema, place: string, site: SchemaComparison): void {
  const [before, after] = [readSchemaShape(old, site.old), readSchemaShape(now, site.now)]
  const pair = before.name === undefined || after.name === undefined ? undefined : `${before.name} ${after.name}`
  if (pair !== undefined && site.open.has(pair)) return
  const inner = pair === undefined ? site : { ...site, open: new Set([...site.open, pair]) }
  const tell = site.changes.makeJudge(site.direction, place)
  compareAnnotations(before, after, place, inner)
  const types = compareSchemaTypes(before, after, tell)
  if (types !== 'others') compareNull(before, after, tell)
  if (types !== 'alike') return
  compareKeywords(before.keywords, after.keywords, tell)
  if (before.rules.length > 0 || after.rules.length > 0) compareRules(getObjectRules(before), getObjectRules(after), tell)
  compareDefaults(before, after, place, inner)
  compareMembers(before, after, place, inner)
  compareElements(before, after, place, inner)
  compareVariants(before, after, place, inner)
}

function compareAnnotations(
  { keywords: old }: SchemaShape,
  { keywords: now }: SchemaShape,
  place: string,
  { changes }: SchemaComparison,
): void {
  changes.addText(place, 'description-changed', {
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
  if (!isSameData(old['examples'] ?? null, now['examples'] ?? null))
    changes.add('documentation', place, 'example-changed', 'its example was changed')
  for (const name of ['title', 'contentMediaType', '$comment'])
    changes.addText(place, 'annotation-changed', { what: `its ${name}`, old: old[name], now: now[name] })
}

// Clients that no longer see an attribute miss it in responses, and are rejected if they send it.
function compareAudiences(old: JsonSchema, now: JsonSchema, place: string, changes: ChangeCollector): void {
  const [before, after] = [old, now].map((one) => one['x-visible-to'] as readonly string[] | undefined)
  if (isSameData(before ?? null, after ?? null)) return
  const isWider = after === undefined || before?.every((name) => after.includes(name)) === true
  const whom = after === undefined ? 'everybody' : quoteList(after)
  if (isWider) changes.add('compatible', place, 'visibility-widened', `it is visible to ${whom} now`)
  else changes.add('breaking', place, 'visibility-narrowed', `it is visible to ${whom} only`)
}

/** Compares types, and tells how much more there is to compare: between anything and a type only null, between others nothing. */
function compareSchemaTypes(old: SchemaShape, now: SchemaShape, tell: JudgeChange): 'alike' | 'anything' | 'others' {
  const [before, after] = [formatSchemaType(old.keywords), formatSchemaType(now.keywords)]
  if (before === after) return 'alike'
  const effect = getTypeEffect(before, after)
  tell(effect, `type-${effect}`, `it is ${after} now, and was ${before}`)
  if (effect === 'changed') return 'others'
  return before === ANY_SCHEMA_TYPE || after === ANY_SCHEMA_TYPE ? 'anything' : 'alike'
}

function getTypeEffect(before: string, after: string): ChangeEffect {
  if (after === ANY_SCHEMA_TYPE || (before === 'integer' && after === 'number')) return 'widened'
  return before === ANY_SCHEMA_TYPE || (before === 'number' && after === 'integer') ? 'narrowed' : 'changed'
}

function compareNull({ nullable: old }: SchemaShape, { nullable: now }: SchemaShape, tell: JudgeChange): void {
  if (now && !old) tell('widened', 'null-added', 'null is a value now')
  if (old && !now) tell('narrowed', 'null-removed', 'null is no value any more')
}

const ANY_SCHEMA_TYPE = 'anything'

// The format of a text counts as a type.
function formatSchemaType({ type, format, oneOf, anyOf, allOf }: JsonSchema): string {
  if (oneOf !== undefined || anyOf !== undefined || allOf !== undefined) return 'a choice'
  if (Array.isArray(type)) return type.join(' or ')
  if (type === undefined) return ANY_SCHEMA_TYPE
  return TYPED_FORMATS.has(String(format)) ? `${type} (${format})` : String(type)
}

const TYPED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'time'])

// --- defaults ------------------------------------------------------------------------

function compareDefaults(old: SchemaShape, now: SchemaShape, place: string, { direction, changes }: SchemaComparison): void {
  const [before, after] = [old.keywords['default'], now.keywords['default']]
  if (isSameData(before ?? null, after ?? null) && (before === undefined) === (after === undefined)) return
  const verb = getChangeVerb(before, after)
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

function compareMembers({ keywords: old }: SchemaShape, { keywords: now }: SchemaShape, place: string, site: SchemaComparison): void {
  const [before, after] = [(old['properties'] ?? {}) as Properties, (now['properties'] ?? {}) as Properties]
  const [needed, needs] = [getRequiredNames(old), getRequiredNames(now)]
  for (const name of collectNames(before, after)) {
    const at = appendName(place, name)
    const [was, is] = [own(before, name), own(after, name)]
    if (was === undefined) reportAddedAttribute(at, needs.includes(name), site)
    else if (is === undefined) reportRemovedAttribute(at, now['additionalProperties'] === false, site)
    else {
      compareRequired(needed.includes(name), needs.includes(name), at, site)
      compareSchemas(was, is, at, site)
    }
  }
  compareAdditionalProperties(old['additionalProperties'], now['additionalProperties'], place, site)
}

const getObjectRules = ({ rules, keywords }: SchemaShape): RuleSet => ({
  rules,
  names: Object.keys((keywords['properties'] ?? {}) as Properties),
  required: getRequiredNames(keywords),
})

const getRequiredNames = ({ required }: JsonSchema): readonly string[] => (required ?? []) as readonly string[]

const appendName = (place: string, name: string): string => `${place}.${name}`

function reportAddedAttribute(place: string, required: boolean, { direction, changes }: SchemaComparison): void {
  if (direction === 'output') changes.add('compatible', place, 'attribute-added', 'it is new in what clients receive')
  else if (required) changes.add('breaking', place, 'required-added', 'it is new, and must be sent')
  else changes.add('compatible', place, 'attribute-added', 'it is new, and may be sent')
}

function reportRemovedAttribute(place: string, closed: boolean, { direction, changes }: SchemaComparison): void {
  if (direction === 'output') changes.add('breaking', place, 'attribute-removed', 'clients do not receive it any more')
  else if (closed) changes.add('breaking', place, 'attribute-removed', 'clients that send it are refused now')
  else changes.add('compatible', place, 'attribute-removed', 'it is not looked at any more')
}

/** Compares whether something must be present. */
export function compareRequired(old: boolean, now: boolean, place: string, { direction, changes }: SchemaComparison): void {
  if (old === now) return
  const verb = direction === 'input' ? 'be sent' : 'be present'
  const tell = changes.makeJudge(direction, place)
  if (now) tell('narrowed', 'required', `it must ${verb} now`)
  else tell('widened', 'optional', `it need not ${verb} any more`)
}

function compareAdditionalProperties(old: unknown, now: unknown, place: string, site: SchemaComparison): void {
  const [before, after] = [old ?? true, now ?? true]
  if (isSameData(before, after) && typeof before !== 'object') return
  const tell = site.changes.makeJudge(site.direction, place)
  if (typeof before === 'object' && typeof after === 'object')
    compareSchemas(before as JsonSchema, after as JsonSchema, `${place}.*`, site)
  else if (before === true || after === false)
    tell('narrowed', 'other-names-refused', 'names that are not declared are refused now')
  else tell('widened', 'other-names-allowed', 'names that are not declared are allowed now')
}

// --- lists and choices ---------------------------------------------------------------

function compareElements({ keywords: old }: SchemaShape, { keywords: now }: SchemaShape, place: string, site: SchemaComparison): void {
  const [before, after] = [old['items'], now['items']] as (JsonSchema | undefined)[]
  if (before !== undefined || after !== undefined) compareSchemas(before ?? {}, after ?? {}, `${place}[]`, site)
}

function compareVariants(old: SchemaShape, now: SchemaShape, place: string, site: SchemaComparison): void {
  const [before, after] = [old.variants, now.variants]
  // All of several schemas hold together: what one more or less of them does depends on what it says.
  const together = old.keywords['allOf'] !== undefined || now.keywords['allOf'] !== undefined
  const tell = site.changes.makeJudge(site.direction, place)
  if (old.discriminator !== now.discriminator)
    tell('changed', 'discriminator-changed', 'its variants are told apart by another name')
  for (const name of collectNames(before, after)) {
    const [was, is] = [own(before, name), own(after, name)]
    if (was !== undefined && is !== undefined) compareSchemas(was, is, `${place}<${name}>`, site)
    else if (was === undefined)
      tell(together ? 'changed' : 'widened', 'variant-added', `there is a new variant ${name}`)
    else tell(together ? 'changed' : 'narrowed', 'variant-removed', `there is no variant ${name} any more`)
  }
}
