// The policies `etag` and `lastModified`: what tells versions of an element apart, as documents, contract and plugins see it.
import { type Policy, policy, type ResolvedAction } from '../../extend.ts'
import { type Attributes, t } from '../../index.ts'
import { codes } from './codes.ts'

/** Options of `etag` and `lastModified`. */
export interface ConditionOptions {
  /**
   * Whether PUT, PATCH and DELETE must have a condition; without one, the response is 428.
   * @default `false`
   */
  readonly required?: boolean
}

/** The options of a policy of this plugin. */
export interface ConditionSettings extends ConditionOptions {
  readonly by: 'tag' | 'modified'
  /** The attribute, or `'body'`. */
  readonly of: string
  readonly given: unknown
}

/** The names of the policies by what they go by. */
export const NAMES = { tag: 'etag', modified: 'last-modified' } as const

const SENT = {
  tag: { ETag: { description: 'Identifies this version.', schema: { type: 'string' } } },
  modified: { 'Last-Modified': { description: 'The time of the last change.', schema: { type: 'string' } } },
} as const

const text = (description: string, example: string): ReturnType<typeof t.string> => t.string({ description, example })

const READ: Readonly<Record<'tag' | 'modified', Attributes>> = {
  tag: {
    'If-None-Match': text('Tags of the versions that the client has; `*` for any.', '"7"'),
    'If-Match': text('Tags of the versions that are meant; `*` for any.', '"7"'),
  },
  modified: {
    'If-Modified-Since': text('When the version of the client was changed last.', 'Sat, 02 Jan 2027 03:04:05 GMT'),
    'If-Unmodified-Since': text('Goes on only if nothing was changed since.', 'Sat, 02 Jan 2027 03:04:05 GMT'),
  },
}

const SAFE: readonly string[] = ['GET', 'HEAD', 'QUERY', 'ANY']
const CHANGING: readonly string[] = ['PUT', 'PATCH', 'DELETE', 'ANY']

/** Returns whether the method of a request changes the element that it addresses. */
export const isChange = (method: string): boolean => method === 'PUT' || method === 'PATCH' || method === 'DELETE'

/** Returns whether the method of a request reads: a QUERY is conditional as a GET is (RFC 10008). */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'QUERY'

function conditional(settings: ConditionSettings): Policy {
  const { by, of, required = false } = settings
  const name = NAMES[by]
  const made = (verbs: readonly string[]): Policy => {
    const safe = verbs.some((verb) => SAFE.includes(verb))
    const changing = verbs.some((verb) => CHANGING.includes(verb)) && of !== 'body'
    const { 'precondition-failed': failed, 'precondition-required': missing } = codes.failures
    return policy({
      name,
      plugin: 'conditional',
      settings,
      sends: SENT[by],
      ...((safe || changing) && { headers: READ[by], responses: [failed, ...(changing && required ? [missing] : [])] }),
      ...(safe && { declares: { notModified: true } }),
      ...(by === 'tag' && of !== 'body' && { codedTags: true }),
      terms: { ...(changing && required && { required: { means: true } }), by: { tells: of } },
    })
  }
  return policy({ ...made(['ANY']), inAction: ({ verbs }) => made(verbs) })
}

/** Tags every version of an element by an attribute, or by its body: `ETag`, `If-None-Match` and `If-Match`. */
export const etag = (of: string, options: ConditionOptions = {}): Policy =>
  conditional({ ...options, by: 'tag', of, given: options })

/** Declares the time of an element's last change: `Last-Modified`, `If-Modified-Since` and `If-Unmodified-Since`. */
export const lastModified = (attribute: string, options: ConditionOptions = {}): Policy =>
  conditional({ ...options, by: 'modified', of: attribute, given: options })

/** The settings of the policies of an action that are of this plugin. */
export function settingsIn({ policies }: Pick<ResolvedAction, 'policies'>): readonly ConditionSettings[] {
  return Object.values(NAMES).flatMap((name) => {
    const found = policies.get(name)
    return found?.plugin === 'conditional' ? [found.settings as ConditionSettings] : []
  })
}
