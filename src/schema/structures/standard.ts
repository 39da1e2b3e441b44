// Any Standard Schema (zod, valibot, arktype and others) as an attribute.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption } from '../attribute-options.ts'
import type { ExampleSeed } from '../example.ts'
import { escapePointer, INVALID, type Issue, makeIssue } from '../issue.ts'
import { applyOptions, type Direction, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import type { DeferredResult, Loader } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { dumpAny, writeAnyJson } from './any.ts'
import { suggestExample } from './json-schema-example.ts'
import { rewriteReferences } from './standard-json-schema.ts'

/** Declares a value that a Standard Schema checks, synchronously or not; its output is the value in a controller. */
export function standard<
  S extends StandardSchemaV1,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<StandardSchemaV1.InferOutput<S>, R> = undefined,
>(
  standard: S,
  options?: Options<StandardSchemaV1.InferOutput<S>, R, N, D>,
): Attribute<Nullable<StandardSchemaV1.InferOutput<S>, N>, PresenceOf<R, D>> {
  return makeAttribute(standardKind, standard, options)
}

const standardKind: KindOutline<StandardSchemaV1> = {
  name: 'standard',
  shape: 'open',
  write: writeAnyJson,
  read(value, { config }, fail) {
    const result = (config as StandardSchemaV1)['~standard'].validate(value)
    // Async checks are not awaited here: the value stays unchanged, and the result of the check is ignored.
    if ('then' in result) {
      result.catch(() => {})
      return value
    }
    return result.issues === undefined ? result.value : fail(result.issues[0]?.message ?? 'is not valid')
  },
}

/** The rules of `t.standard`. */
export const standardRules: KindRules<StandardSchemaV1> = {
  extraConstraints: () => ({ kind: 'standard' }),
  options: {},
  loader: makeStandardLoader,
  dumper: () => dumpAny,
  isAsync: () => true,
  jsonSchema: (standard, options, schemas) => applyOptions(buildStandardSchema(standard, schemas), options),
  example: (standard, _, seed) => makeStandardExample(standard, seed),
  mistakes: (standard) =>
    standard?.['~standard']?.version === 1 && typeof standard['~standard'].validate === 'function'
      ? []
      : ['this is not a Standard Schema: it has no ~standard of version 1 with a function validate'],
}

// A validator that throws is an error of the server, not of the value: the error propagates.
function makeStandardLoader(standard: StandardSchemaV1): Loader {
  return function loadStandard(value, loading) {
    const result = standard['~standard'].validate(value)
    if ('then' in result) return loading.defer(Promise.resolve(result).then(toDeferredResult))
    if (result.issues === undefined) return result.value
    for (const issue of withFallbackIssue(result.issues))
      loading.failAt(formatIssuePointer(issue), 'custom', { message: issue.message })
    return INVALID
  }
}

function toDeferredResult(result: StandardSchemaV1.Result<unknown>): DeferredResult {
  if (result.issues === undefined) return { value: result.value }
  const toIssue = (one: StandardSchemaV1.Issue): Issue =>
    makeIssue(formatIssuePointer(one), 'custom', { message: one.message })
  return { issues: withFallbackIssue(result.issues).map(toIssue) }
}

// A rejection without issues still needs one.
function withFallbackIssue(issues: readonly StandardSchemaV1.Issue[]): readonly StandardSchemaV1.Issue[] {
  return issues.length === 0 ? [{ message: 'is not valid' }] : issues
}

function formatIssuePointer({ path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  return keys.map((key) => `/${escapePointer(String(key))}`).join('')
}

const buildStandardSchema = (standard: StandardSchemaV1, schemas: NamedSchemas): JsonSchema =>
  rewriteReferences(readLibrarySchema(standard, schemas.direction), schemas)

function readLibrarySchema(standard: StandardSchemaV1, direction: Direction): JsonSchema {
  const { jsonSchema } = standard['~standard'] as Partial<StandardJSONSchemaV1.Props>
  try {
    return jsonSchema?.[direction]({ target: 'draft-2020-12' }) ?? {}
  } catch {
    // Converters throw for schemas that JSON Schema cannot express, such as a transformation.
    return {}
  }
}

// Generated from the library's JSON Schema only: documents and mocks must not run validators, which may query a
// database. The example is a value of the controller. A schema that transforms its input has no JSON Schema of its
// input or of its output.
function makeStandardExample(standard: StandardSchemaV1, seed: ExampleSeed): unknown {
  const [input, output] = [readLibrarySchema(standard, 'input'), readLibrarySchema(standard, 'output')]
  return isEmptySchema(input) ? undefined : suggestExample(output, seed)
}

const isEmptySchema = (schema: JsonSchema): boolean => Object.keys(schema).every((name) => name === '$schema')
