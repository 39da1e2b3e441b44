// The schema of problem documents (RFC 9457), as every failure is written unless the application writes its own.
import type { JsonSchema } from '../schema/json-schema.ts'

/** The schema of a problem document. */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string', description: '`about:blank`: the status and the title say what it is.' },
    title: { type: 'string', description: 'The kind of failure.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong this time.' },
    code: { type: 'string', description: 'The code of the failure, for programs.' },
    errors: {
      type: 'array',
      description: 'What is wrong with the request, one entry for each value.',
      items: {
        type: 'object',
        required: ['in', 'pointer', 'code', 'message'],
        properties: {
          in: { type: 'string', enum: ['params', 'headers', 'payload'] },
          pointer: { type: 'string', description: 'Where the value is: a JSON pointer.' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    errorCount: { type: 'integer', description: 'How many errors there are, if not all of them are listed.' },
    requestId: { type: 'string', description: 'Under which the log has more.' },
  },
}
