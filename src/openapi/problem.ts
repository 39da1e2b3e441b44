// Describes failures: problem documents (RFC 9457) or the form of the application's encoder, each with an example.
import { attributeRules } from '../design/attribute-rules.ts'
import { getMediaTypeIdentifier } from '../design/declare/action-response.ts'
import { statusMessages } from '../design/declare/status.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { coreFailures, type FailureCode } from '../errors.ts'
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { getEssence, isJsonType } from '../util/media-type.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { HeaderObject, MediaTypeObject } from './types.ts'

/** The problems of an application with its own encoder. */
export interface DocumentedProblems {
  /** The form of the bodies. */
  readonly form: Attribute | string
  /** Encodes an example of an action's problem. */
  encode(problem: object, action: ResolvedAction): WrittenExample
}

/** An encoded example of a problem. */
interface WrittenExample {
  readonly mediaType: string
  readonly status: number
  /** Names and values, alternating. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array
}

/** The parts of a response that is a problem. */
interface DescribedProblem {
  /** The status, if an encoder chose one. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, HeaderObject>>
  readonly content: Record<string, MediaTypeObject>
}

/** The description of failures. */
export interface ProblemForm {
  /** Describes the response of an action for a problem, with an example. */
  describe(problem: object | undefined, action: ResolvedAction): DescribedProblem
  /** Builds the problem that the framework responds with. */
  buildFailure(code: FailureCode): object
  /** Builds the problem document of a response without a body. */
  buildDeclaredFailure(name: string, status: number): object
}

const PROBLEM_MEDIA_TYPE = 'application/problem+json'

/** Creates the description of failures. Without an encoder, they are problem documents. */
export function makeProblemForm(
  encoder: DocumentedProblems | undefined,
  validationStatus: number,
  registry: SchemaRegistry,
): ProblemForm {
  return {
    describe: encoder === undefined ? makeStandardForm(registry) : makeEncodedForm(encoder, registry),
    buildFailure: (code) => ({
      type: 'about:blank',
      title: coreFailures[code].title,
      status: code === 'validation' ? validationStatus : coreFailures[code].status,
      ...(code === 'validation' && { detail: INVALID_EXAMPLE.message }),
      code,
      ...(code === 'validation' && { errors: [INVALID_EXAMPLE] }),
    }),
    buildDeclaredFailure: (name, status) => ({
      type: 'about:blank',
      title: statusMessages[status as keyof typeof statusMessages] ?? name,
      status,
      code: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    }),
  }
}

const INVALID_EXAMPLE = {
  in: 'params',
  pointer: '/colour',
  code: 'unknown',
  message: "The parameter 'colour' is not a known name",
}

function makeStandardForm(registry: SchemaRegistry): ProblemForm['describe'] {
  return (problem) => {
    const schema = registry.output.refer('Problem', problemSchema, () => problemSchema)
    return { content: { [PROBLEM_MEDIA_TYPE]: { schema, ...(problem !== undefined && { example: problem }) } } }
  }
}

// The examples show the status and headers that the encoder chooses; these may depend on the request.
function makeEncodedForm(
  { form, encode: write }: DocumentedProblems,
  registry: SchemaRegistry,
): ProblemForm['describe'] {
  const standard = makeStandardForm(registry)
  return (problem, action) => {
    const { mediaType, status, headers, body } = write(problem ?? UNKNOWN_PROBLEM, action)
    // If the encoder fails, clients receive a problem document.
    if (mediaType === PROBLEM_MEDIA_TYPE) return standard(problem, action)
    const names = headers.filter((_, i) => i % 2 === 0)
    const described = names.map((name): [string, HeaderObject] => [
      name,
      { required: false, schema: { type: 'string' } },
    ])
    return {
      ...(problem !== undefined && { status }),
      ...(names.length > 0 && { headers: Object.fromEntries(described) }),
      content: {
        [getMediaTypeIdentifier(form)]: { ...buildProblemSchema(form, registry), ...parseExample(mediaType, body) },
      },
    }
  }
}

function buildProblemSchema(form: Attribute | string, registry: SchemaRegistry): { readonly schema?: JsonSchema } {
  if (isAttribute(form)) return { schema: attributeRules.buildSchema(form, registry.output) }
  if (isJsonMediaType(form)) return { schema: {} }
  return form.startsWith('text/') ? { schema: { type: 'string' } } : {}
}

const isJsonMediaType = (mediaType: string): boolean => isJsonType(getEssence(mediaType))

function parseExample(mediaType: string, body: string | Uint8Array): { readonly example?: unknown } {
  if (typeof body !== 'string') return {}
  if (!isJsonMediaType(mediaType)) return { example: body }
  try {
    return { example: JSON.parse(body) }
  } catch {
    return {}
  }
}

const UNKNOWN_PROBLEM = { type: 'about:blank', title: coreFailures.internal.title, status: 500, code: 'internal' }

// An action may return additional members, so the schema requires only the basic ones.
const problemSchema: JsonSchema = {
  type: 'object',
  description: 'A problem document (RFC 9457).',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string', description: '`about:blank`: status and title describe the problem.' },
    title: { type: 'string', description: 'The kind of failure.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'The problem of this request.' },
    instance: { type: 'string', description: 'The URI of this occurrence.' },
    code: { type: 'string', description: 'The code of the failure, for programs.' },
    errors: {
      type: 'array',
      description: 'The errors of the request, one for each invalid value.',
      items: {
        properties: {
          in: { type: 'string', description: 'The part of the request: `params`, `headers` or `payload`.' },
          pointer: { type: 'string', description: 'The location of the value: a JSON pointer.' },
          code: { type: 'string', description: 'The code of the error, for programs.' },
          message: { type: 'string', description: 'The problem of the value.' },
        },
      },
    },
    errorCount: { type: 'integer', description: 'The number of errors, if not all of them are listed.' },
    requestId: { type: 'string', description: 'The id of the log entry.' },
  },
}
