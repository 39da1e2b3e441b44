// Compares two JSON Schemas in one direction.
import type { Direction, JsonSchema } from '../../schema/json-schema.ts'
import { isSameData } from '../canonical.ts'
import {
  type ChangeCollector,
  type ChangeEffect,
  type ComparedContracts,
  collectNames,
  getChangeVerb,
  getRecordValue,
  quoteList,
  type ReportChange,
} from './change.ts'
import { compareKeywords } from './compare-keywords.ts'
import { compareRules, type RuleSet } from './compare-rules.ts'
import { readSchemaShape, type SchemaShape } from './schema-shape.ts'

/** The state of a schema comparison. */
export interface SchemaComparison extends ComparedContracts {
  readonly direction: Direction
  /** Pairs of named schemas whose comparison is in progress; this ends recursion. */
  readonly inProgress: ReadonlySet<string>
}

/** Compares two schemas at one location. */
export function compareSchemas(old: JsonSchema, now: JsonSchema, location: string, context: SchemaComparison): void {
  const [before, after] = [readSchemaShape(old, context.old), readSchemaShape(now, context.now)]
  const pair = before.name === undefined || after.name === undefined ? undefined : `${before.name} ${after.name}`
  if (pair !== undefined && context.inProgress.has(pair)) return
  const inner = pair === undefined ? context : { ...context, inProgress: new Set([...context.inProgress, pair]) }
  const report = context.changes.createReporter(context.direction, location)
  compareAnnotations(before, after, location, inner)
  const types = compareSchemaTypes(before, after, report)
  if (types !== 'others') compareNull(before, after, report)
  if (types !== 'alike') return
  compareKeywords(before.keywords, after.keywords, report)
  if (before.rules.length > 0 || after.rules.length > 0)
    compareRules(getObjectRules(before), getObjectRules(after), report)
  compareDefaults(before, after, location, inner)
  compareMembers(before, after, location, inner)
  compareElements(before, after, location, inner)
  compareVariants(before, after, location, inner)
}

function compareAnnotations(
  { keywords: old }: SchemaShape,
  { keywords: now }: SchemaShape,
  location: string,
  { changes }: SchemaComparison,
): void {
  changes.addText(location, 'description-changed', {
    what: 'its description',
    old: old['description'],
    now: now['description'],
  })
  const [was, is] = [old['deprecated'] === true, now['deprecated'] === true]
  if (was !== is)
    changes.add(
      'compatible',
      location,
      is ? 'deprecated-added' : 'deprecated-removed',
      `it is ${is ? '' : 'not '}deprecated now`,
    )
  const [wasSecret, isSecret] = [old['x-secret'] === true, now['x-secret'] === true]
  if (wasSecret !== isSecret)
    changes.add(
      'documentation',
      location,
      isSecret ? 'secret-added' : 'secret-removed',
      `it is ${isSecret ? '' : 'not '}a secret now`,
    )
  compareAudiences(old, now, location, changes)
  if (!isSameData(old['examples'] ?? null, now['examples'] ?? null))
    changes.add('documentation', location, 'example-changed', 'its example was changed')
  for (const name of ['title', 'contentMediaType', '$comment'])
    changes.addText(location, 'annotation-changed', { what: `its ${name}`, old: old[name], now: now[name] })
}

// Clients that no longer see an attribute miss it in responses, and are rejected if they send it.
function compareAudiences(old: JsonSchema, now: JsonSchema, location: string, changes: ChangeCollector): void {
  const [before, after] = [old, now].map((one) => one['x-visible-to'] as readonly string[] | undefined)
  if (isSameData(before ?? null, after ?? null)) return
  const isWider = after === undefined || before?.every((name) => after.includes(name)) === true
  const whom = after === undefined ? 'everybody' : quoteList(after)
  if (isWider) changes.add('compatible', location, 'visibility-widened', `it is visible to ${whom} now`)
  else changes.add('breaking', location, 'visibility-narrowed', `it is visible to ${whom} only`)
}

/**
 * Compares types. Returns what remains to compare: everything (`alike`), only null (`anything`), or nothing (`others`).
 */
function compareSchemaTypes(old: SchemaShape, now: SchemaShape, report: ReportChange): 'alike' | 'anything' | 'others' {
  const [before, after] = [formatSchemaType(old.keywords), formatSchemaType(now.keywords)]
  if (before === after) return 'alike'
  const effect = getTypeEffect(before, after)
  report(effect, `type-${effect}`, `it is ${after} now, and was ${before}`)
  if (effect === 'changed') return 'others'
  return before === ANY_SCHEMA_TYPE || after === ANY_SCHEMA_TYPE ? 'anything' : 'alike'
}

function getTypeEffect(before: string, after: string): ChangeEffect {
  if (after === ANY_SCHEMA_TYPE || (before === 'integer' && after === 'number')) return 'widened'
  return before === ANY_SCHEMA_TYPE || (before === 'number' && after === 'integer') ? 'narrowed' : 'changed'
}

function compareNull({ nullable: old }: SchemaShape, { nullable: now }: SchemaShape, report: ReportChange): void {
  if (now && !old) report('widened', 'null-added', 'null is a value now')
  if (old && !now) report('narrowed', 'null-removed', 'null is no value any more')
}

const ANY_SCHEMA_TYPE = 'anything'

// Some formats of strings count as types.
function formatSchemaType({ type, format, oneOf, anyOf, allOf }: JsonSchema): string {
  if (oneOf !== undefined || anyOf !== undefined || allOf !== undefined) return 'a choice'
  if (Array.isArray(type)) return type.join(' or ')
  if (type === undefined) return ANY_SCHEMA_TYPE
  return TYPED_FORMATS.has(String(format)) ? `${type} (${format})` : String(type)
}

const TYPED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'time'])

// --- defaults ------------------------------------------------------------------------

function compareDefaults(
  old: SchemaShape,
  now: SchemaShape,
  location: string,
  { direction, changes }: SchemaComparison,
): void {
  const [before, after] = [old.keywords['default'], now.keywords['default']]
  if (isSameData(before ?? null, after ?? null) && (before === undefined) === (after === undefined)) return
  const verb = getChangeVerb(before, after)
  const texts = {
    added: `${JSON.stringify(after)} is its default now`,
    removed: `it has no default any more, which was ${JSON.stringify(before)}`,
    changed: `${JSON.stringify(after)} is its default now, not ${JSON.stringify(before)}`,
  }
  const inputKind = verb === 'added' ? 'compatible' : 'breaking'
  changes.add(direction === 'output' ? 'documentation' : inputKind, location, `default-${verb}`, texts[verb])
}

// --- structures ----------------------------------------------------------------------

type Properties = Readonly<Record<string, JsonSchema>>

function compareMembers(
  { keywords: old }: SchemaShape,
  { keywords: now }: SchemaShape,
  location: string,
  context: SchemaComparison,
): void {
  const [before, after] = [(old['properties'] ?? {}) as Properties, (now['properties'] ?? {}) as Properties]
  const [requiredBefore, requiredAfter] = [getRequiredNames(old), getRequiredNames(now)]
  for (const name of collectNames(before, after)) {
    const memberLocation = `${location}.${name}`
    const [was, is] = [getRecordValue(before, name), getRecordValue(after, name)]
    if (was === undefined) reportAddedAttribute(memberLocation, requiredAfter.includes(name), context)
    else if (is === undefined) reportRemovedAttribute(memberLocation, now['additionalProperties'] === false, context)
    else {
      compareRequired(requiredBefore.includes(name), requiredAfter.includes(name), memberLocation, context)
      compareSchemas(was, is, memberLocation, context)
    }
  }
  compareAdditionalProperties(old['additionalProperties'], now['additionalProperties'], location, context)
}

const getObjectRules = ({ rules, keywords }: SchemaShape): RuleSet => ({
  rules,
  names: Object.keys((keywords['properties'] ?? {}) as Properties),
  required: getRequiredNames(keywords),
})

const getRequiredNames = ({ required }: JsonSchema): readonly string[] => (required ?? []) as readonly string[]

function reportAddedAttribute(location: string, required: boolean, { direction, changes }: SchemaComparison): void {
  if (direction === 'output')
    changes.add('compatible', location, 'attribute-added', 'it is new in what clients receive')
  else if (required) changes.add('breaking', location, 'required-added', 'it is new, and must be sent')
  else changes.add('compatible', location, 'attribute-added', 'it is new, and may be sent')
}

function reportRemovedAttribute(location: string, closed: boolean, { direction, changes }: SchemaComparison): void {
  if (direction === 'output')
    changes.add('breaking', location, 'attribute-removed', 'clients do not receive it any more')
  else if (closed) changes.add('breaking', location, 'attribute-removed', 'clients that send it are refused now')
  else changes.add('compatible', location, 'attribute-removed', 'it is not looked at any more')
}

/** Compares whether a value must be present. */
export function compareRequired(
  old: boolean,
  now: boolean,
  location: string,
  { direction, changes }: SchemaComparison,
): void {
  if (old === now) return
  const verb = direction === 'input' ? 'be sent' : 'be present'
  const report = changes.createReporter(direction, location)
  if (now) report('narrowed', 'required', `it must ${verb} now`)
  else report('widened', 'optional', `it need not ${verb} any more`)
}

function compareAdditionalProperties(old: unknown, now: unknown, location: string, context: SchemaComparison): void {
  const [before, after] = [old ?? true, now ?? true]
  if (isSameData(before, after) && typeof before !== 'object') return
  const report = context.changes.createReporter(context.direction, location)
  if (typeof before === 'object' && typeof after === 'object')
    compareSchemas(before as JsonSchema, after as JsonSchema, `${location}.*`, context)
  else if (before === true || after === false)
    report('narrowed', 'other-names-refused', 'names that are not declared are refused now')
  else report('widened', 'other-names-allowed', 'names that are not declared are allowed now')
}

// --- lists and choices ---------------------------------------------------------------

function compareElements(
  { keywords: old }: SchemaShape,
  { keywords: now }: SchemaShape,
  location: string,
  context: SchemaComparison,
): void {
  const [before, after] = [old['items'], now['items']] as (JsonSchema | undefined)[]
  if (before !== undefined || after !== undefined) compareSchemas(before ?? {}, after ?? {}, `${location}[]`, context)
}

function compareVariants(old: SchemaShape, now: SchemaShape, location: string, context: SchemaComparison): void {
  const [before, after] = [old.variants, now.variants]
  // `allOf` combines its schemas, so the effect of adding or removing one depends on its content.
  const together = old.keywords['allOf'] !== undefined || now.keywords['allOf'] !== undefined
  const report = context.changes.createReporter(context.direction, location)
  if (old.discriminator !== now.discriminator)
    report('changed', 'discriminator-changed', 'its variants are distinguished by another name')
  for (const name of collectNames(before, after)) {
    const [was, is] = [getRecordValue(before, name), getRecordValue(after, name)]
    if (was !== undefined && is !== undefined) compareSchemas(was, is, `${location}<${name}>`, context)
    else if (was === undefined)
      report(together ? 'changed' : 'widened', 'variant-added', `there is a new variant ${name}`)
    else report(together ? 'changed' : 'narrowed', 'variant-removed', `there is no variant ${name} any more`)
  }
}
