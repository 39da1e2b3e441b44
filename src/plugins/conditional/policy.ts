// The policies `etag` and `lastModified`, which declare how versions of an element are distinguished.
import { type Policy, policy, type ResolvedAction } from '../../extend.ts'
import { type Attributes, t } from '../../index.ts'
import { codes } from './codes.ts'

/** The options of `etag` and `lastModified`. */
export interface ConditionOptions {
  /**
   * Whether PUT, PATCH and DELETE require a condition; without one, the response is 428.
   * @default `false`
   */
  readonly required?: boolean
}

/** The settings of `etag` or `lastModified` in an action. */
export interface ConditionSettings extends ConditionOptions {
  /** Whether versions have a tag, or the time of the last change. */
  readonly by: 'tag' | 'modified'
  /** The attribute that differs between versions, or `'body'`. */
  readonly of: string
}

/** The settings of a policy, with its options as they were declared. */
export interface PolicySettings extends ConditionSettings {
  readonly givenOptions: unknown
}

/** The names of the policies, by kind of validator. */
export const POLICY_NAMES = { tag: 'etag', modified: 'last-modified' } as const

const RESPONSE_HEADERS = {
  tag: { ETag: { description: 'Identifies this version.', schema: { type: 'string' } } },
  modified: { 'Last-Modified': { description: 'The time of the last change.', schema: { type: 'string' } } },
} as const

const createTextHeader = (description: string, example: string): ReturnType<typeof t.string> =>
  t.string({ description, example })

const REQUEST_HEADERS: Readonly<Record<'tag' | 'modified', Attributes>> = {
  tag: {
    'If-None-Match': createTextHeader('Tags of the versions that the client has; `*` for any.', '"7"'),
    'If-Match': createTextHeader('Tags of the versions that are meant; `*` for any.', '"7"'),
  },
  modified: {
    'If-Modified-Since': createTextHeader(
      'When the version of the client was changed last.',
      'Sat, 02 Jan 2027 03:04:05 GMT',
    ),
    'If-Unmodified-Since': createTextHeader(
      'Goes on only if nothing was changed since.',
      'Sat, 02 Jan 2027 03:04:05 GMT',
    ),
  },
}

const READ_VERBS: readonly string[] = ['GET', 'HEAD', 'QUERY', 'ANY']
const CHANGE_VERBS: readonly string[] = ['PUT', 'PATCH', 'DELETE', 'ANY']

/** Returns whether the method of a request changes the element that it addresses. */
export const isChangeMethod = (method: string): boolean => method === 'PUT' || method === 'PATCH' || method === 'DELETE'

/** Returns whether the method of a request reads. QUERY is conditional like GET (RFC 10008). */
export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'QUERY'

function createConditionPolicy(settings: PolicySettings): Policy {
  const { by, of, required = false } = settings
  const name = POLICY_NAMES[by]
  const createFor = (verbs: readonly string[]): Policy => {
    const isSafe = verbs.some((verb) => READ_VERBS.includes(verb))
    const isChange = verbs.some((verb) => CHANGE_VERBS.includes(verb)) && of !== 'body'
    const { 'precondition-failed': failed, 'precondition-required': missing } = codes.failures
    return policy({
      name,
      plugin: 'conditional',
      settings,
      documentedHeaders: RESPONSE_HEADERS[by],
      ...((isSafe || isChange) && {
        headers: REQUEST_HEADERS[by],
        responses: [failed, ...(isChange && required ? [missing] : [])],
      }),
      ...(isSafe && { declares: { notModified: true } }),
      ...(by === 'tag' && of !== 'body' && { codedTags: true }),
      terms: { ...(isChange && required && { required: { means: true } }), by: { info: of } },
    })
  }
  return policy({ ...createFor(['ANY']), inAction: ({ verbs }) => createFor(verbs) })
}

/** Tags every version of an element by an attribute, or by its body: `ETag`, `If-None-Match` and `If-Match`. */
export const etag = (of: string, options: ConditionOptions = {}): Policy =>
  createConditionPolicy({ ...options, by: 'tag', of, givenOptions: options })

/** Declares the time of an element's last change: `Last-Modified`, `If-Modified-Since` and `If-Unmodified-Since`. */
export const lastModified = (attribute: string, options: ConditionOptions = {}): Policy =>
  createConditionPolicy({ ...options, by: 'modified', of: attribute, givenOptions: options })

/** Returns the settings of `etag` and `lastModified` in an action; an empty list without them. */
export function findConditionSettings({ policies }: Pick<ResolvedAction, 'policies'>): readonly ConditionSettings[] {
  return Object.values(POLICY_NAMES).flatMap((name) => {
    const found = policies.get(name)
    return found?.plugin === 'conditional' ? [found.settings as ConditionSettings] : []
  })
}
