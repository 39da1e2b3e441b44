// The errors of published contracts: one description of a failure, which each of their forms writes.
import {
  type Attribute,
  type Attributes,
  type InputError,
  mediaType,
  type Problem,
  type ProblemEncoder,
  problemEncoder,
} from '../../../../index.ts'

/** A failure as the forms of errors write it. */
export interface PublishedFailure {
  readonly status: number
  readonly code: string
  readonly title: string
  /** The text of this failure. */
  readonly message: string
  /** The invalid values of the request. */
  readonly errors: readonly InvalidValue[]
}

/** An invalid value of a request. */
export interface InvalidValue {
  readonly in: InputError['in']
  readonly pointer: string
  /** The name of the param or header, such as `page[size]`, or the path of the attribute, such as `authors[1]`. */
  readonly name: string
  readonly code: string
  readonly message: string
}

/** A form of errors: the content type and the attributes of its bodies, and the function that writes one. */
interface ErrorForm<B> {
  /** The name of its schema in documents. */
  readonly name: string
  /** The content type of its bodies. */
  readonly identifier: string
  readonly attributes: Attributes
  /** Writes the body of a failure. */
  write(failure: PublishedFailure): B
}

/** Creates the encoder of a form of errors. */
export function createErrorEncoder<B>({
  name,
  identifier,
  attributes,
  write,
}: ErrorForm<B>): ProblemEncoder<Attribute<B, false>> {
  const body = mediaType(name, { identifier, attributes }) as unknown as Attribute<B, false>
  return problemEncoder(body, (problem) => ({ body: write(describeFailure(problem)) as never }))
}

function describeFailure({ status, code, title, detail = title, errors = [] }: Problem): PublishedFailure {
  const invalid = errors.map(({ in: part, pointer, code: reason, message }) => {
    return { in: part, pointer, name: formatName(part, pointer), code: reason, message }
  })
  return { status, code, title, message: detail, errors: invalid }
}

// A param with several values has one name, which its values do not have.
function formatName(part: InputError['in'], pointer: string): string {
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const end = part === 'params' ? steps.findLastIndex((step) => !/^\d+$/.test(step)) : steps.length - 1
  const [first = '', ...below] = steps.slice(0, Math.max(1, end + 1))
  return part === 'headers' ? first : first + below.map((step) => `[${step}]`).join('')
}

/** Writes a code in snake case. */
export const toSnakeCode = (code: string): string => code.replaceAll('-', '_')
