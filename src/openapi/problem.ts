// Failures: the schema of problem documents (RFC 9457) with examples, or examples only where the application has its own.
import { statusMessages } from '../design/declare/status.ts'
import { type FailureCode, failures } from '../errors.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Book } from './book.ts'
import type { MediaTypeObject } from './types.ts'

/** Writes a problem as the application does. */
export type ProblemWriter = (problem: object) => { readonly mediaType: string; readonly body: string | Uint8Array }

/** How failures are written. */
export interface ProblemForm {
  /** The content of an answer that is a problem, with an example. */
  content(problem: object | undefined): Record<string, MediaTypeObject>
  /** The problem that the framework answers with. */
  failure(code: FailureCode): object
  /** The problem that becomes of a response without a body. */
  returned(name: string, status: number): object
}

const STANDARD = 'application/problem+json'

/** Describes failures; without a writer of the application's own they have the standard form. */
export function problemForm(write: ProblemWriter | undefined, validationStatus: number, book: Book): ProblemForm {
  return {
    content: write === undefined ? standardContent(book) : (problem) => ownContent(write, problem),
    failure: (code) => ({
      type: 'about:blank',
      title: failures[code].title,
      status: code === 'validation' ? validationStatus : failures[code].status,
      ...(code === 'validation' && { detail: INVALID.message }),
      code,
      ...(code === 'validation' && { errors: [INVALID] }),
    }),
    returned: (name, status) => ({
      type: 'about:blank',
      title: statusMessages[status as keyof typeof statusMessages] ?? name,
      status,
      code: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    }),
  }
}

const INVALID = {
  in: 'params',
  pointer: '/colour',
  code: 'unknown',
  message: "The parameter 'colour' is not a known name",
}

function standardContent(book: Book): ProblemForm['content'] {
  return (problem) => {
    const schema = book.output.refer('Problem', problemSchema, () => problemSchema)
    return { [STANDARD]: { schema, ...(problem !== undefined && { example: problem }) } }
  }
}

// What the application writes has no declaration; what it looks like can be shown all the same.
function ownContent(write: ProblemWriter, problem: object | undefined): Record<string, MediaTypeObject> {
  const { mediaType, body } = write(problem ?? UNKNOWN)
  if (typeof body !== 'string') return { [mediaType]: {} }
  if (!/[/+]json\b/i.test(mediaType)) return { [mediaType]: { schema: { type: 'string' }, example: body } }
  try {
    return { [mediaType]: { schema: {}, example: JSON.parse(body) } }
  } catch {
    return { [mediaType]: { schema: {} } }
  }
}

const UNKNOWN = { type: 'about:blank', title: failures.internal.title, status: 500, code: 'internal' }

// An action may return members of its own making, so that little is required of them.
const problemSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string', description: '`about:blank`: the status and the title say what it is.' },
    title: { type: 'string', description: 'The kind of failure.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong this time.' },
    instance: { type: 'string', description: 'What it happened to.' },
    code: { type: 'string', description: 'The code of the failure, for programs.' },
    errors: {
      type: 'array',
      description: 'What is wrong with the request, one entry for each value.',
      items: {
        properties: {
          in: { type: 'string', description: 'The part of the request: `params`, `headers` or `payload`.' },
          pointer: { type: 'string', description: 'Where the value is: a JSON pointer.' },
          code: { type: 'string', description: 'The code of the error, for programs.' },
          message: { type: 'string', description: 'What is wrong with the value.' },
        },
      },
    },
    errorCount: { type: 'integer', description: 'How many errors there are, if not all of them are listed.' },
    requestId: { type: 'string', description: 'Under which the log has more.' },
  },
}
