// Any Standard Schema (zod, valibot, arktype and others) as an attribute.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { type Attribute, attribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import type { ExampleSeed } from '../example.ts'
import { escapePointer, INVALID, type Issue, makeIssue } from '../issue.ts'
import { type Direction, describe, type JsonSchema, type Schemas } from '../json-schema.ts'
import type { Loader, Settled } from '../loading.ts'
import type { InitialOf, Said } from '../options.ts'
import type { Nullable, Present } from '../types.ts'
import { dumpAny, writeOpen } from './any.ts'
import { proposal } from './foreign-example.ts'
import { adoptSchema } from './standard-json-schema.ts'

/** Declares a value that a Standard Schema checks, synchronously or not; its output is the value in a controller. */
export function standard<
  S extends StandardSchemaV1,
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<StandardSchemaV1.InferOutput<S>, R> = undefined,
>(
  standard: S,
  options?: Options<StandardSchemaV1.InferOutput<S>, R, N, D>,
): Attribute<Nullable<StandardSchemaV1.InferOutput<S>, N>, Present<R, D>> {
  return attribute(schemaKind, standard, options)
}

const schemaKind: KindOutline<StandardSchemaV1> = {
  name: 'standard',
  shape: 'open',
  write: writeOpen,
  read(value, { config }, fail) {
    const result = (config as StandardSchemaV1)['~standard'].validate(value)
    // An answer is not waited for twice: where the check takes time, the value stays as it came, and its failure concerns nobody.
    if ('then' in result) {
      result.catch(() => {})
      return value
    }
    return result.issues === undefined ? result.value : fail(result.issues[0]?.message ?? 'is not valid')
  },
}

/** The rules of values that another library checks. */
export const standardRules: KindRules<StandardSchemaV1> = {
  unsaid: () => ({ kind: 'standard' }),
  options: {},
  loader: standardLoader,
  dumper: () => dumpAny,
  defers: () => true,
  jsonSchema: (standard, options, schemas) => describe(schemaOf(standard, schemas), options),
  example: (standard, _, seed) => exampleOf(standard, seed),
  mistakes: (standard) =>
    standard?.['~standard']?.version === 1 && typeof standard['~standard'].validate === 'function'
      ? []
      : ['this is not a Standard Schema: it has no ~standard of version 1 with a function validate'],
}

// A validator that throws is a fault of the server, not of the value: the error is left to travel.
function standardLoader(standard: StandardSchemaV1): Loader {
  return function loadStandard(value, loading) {
    const result = standard['~standard'].validate(value)
    if ('then' in result) return loading.defer(Promise.resolve(result).then(settled))
    if (result.issues === undefined) return result.value
    for (const issue of issuesOf(result.issues)) loading.failAt(pointerOf(issue), 'custom', { message: issue.message })
    return INVALID
  }
}

function settled(result: StandardSchemaV1.Result<unknown>): Settled {
  if (result.issues === undefined) return { value: result.value }
  const make = (one: StandardSchemaV1.Issue): Issue => makeIssue(pointerOf(one), 'custom', { message: one.message })
  return { issues: issuesOf(result.issues).map(make) }
}

// A refusal without a reason is a refusal all the same.
function issuesOf(issues: readonly StandardSchemaV1.Issue[]): readonly StandardSchemaV1.Issue[] {
  return issues.length === 0 ? [{ message: 'is not valid' }] : issues
}

function pointerOf({ path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  return keys.map((key) => `/${escapePointer(String(key))}`).join('')
}

const schemaOf = (standard: StandardSchemaV1, schemas: Schemas): JsonSchema =>
  adoptSchema(ownSchema(standard, schemas.direction), schemas)

function ownSchema(standard: StandardSchemaV1, direction: Direction): JsonSchema {
  const { jsonSchema } = standard['~standard'] as Partial<StandardJSONSchemaV1.Props>
  try {
    return jsonSchema?.[direction]({ target: 'draft-2020-12' }) ?? {}
  } catch {
    // Converters throw for what JSON Schema cannot say, such as a transformation.
    return {}
  }
}

// Of the library's word alone: documents and mocks must not run what checks requests, which may ask a database. The example
// is a value of the controller; a schema that converts what it gets has no JSON Schema of what it gives, or of what it takes.
function exampleOf(standard: StandardSchemaV1, seed: ExampleSeed): unknown {
  const [input, output] = [ownSchema(standard, 'input'), ownSchema(standard, 'output')]
  return isEmpty(input) ? undefined : proposal(output, seed)
}

const isEmpty = (schema: JsonSchema): boolean => Object.keys(schema).every((name) => name === '$schema')
