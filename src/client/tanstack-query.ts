// The public entry `edict/tanstack-query`: TanStack Query options for the calls of a client.
import type { DataTag, InfiniteData } from '@tanstack/query-core'
import type { Page, SelectedElement, SelectedSuccess } from './types.ts'

/** The key of a query: the endpoint, the action, and the arguments of the call as JSON. */
export type CallKey = readonly [endpoint: string, action: string, ...args: unknown[]]

// Query Core rejects undefined as data.
type CacheableBody<T> = undefined extends T ? Exclude<T, undefined> | null : T

interface NamedCall {
  readonly '~call': readonly [endpoint: string, action: string]
}

interface QueryableCall<A extends readonly unknown[], T> extends NamedCall {
  ok(...args: A): Promise<T>
}

interface PageableCall<A extends readonly unknown[], E> extends NamedCall {
  pages(...args: A): AsyncIterableIterator<Page<E>>
}

/** The params of the arguments A, which may select the fields F. A alone determines the available fields. */
type SelectingParams<A extends readonly unknown[], F> =
  | (NonNullable<A[0]> & { readonly fields?: readonly (F | (string & {}))[] | string | undefined })
  | Extract<A[0], undefined>

/** The arguments A after the params. */
type RestArguments<A extends readonly unknown[]> = A extends readonly [unknown?, ...infer R] ? R : never

/** The options of `useQuery`, `fetchQuery` and similar functions. */
export interface CallQuery<T> {
  readonly queryKey: DataTag<CallKey, T>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
}

/** The options of `useInfiniteQuery`, `fetchInfiniteQuery` and similar functions. */
export interface CallInfiniteQuery<E> {
  readonly queryKey: DataTag<CallKey, InfiniteData<Page<E>, string>>
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: string }) => Promise<Page<E>>
  readonly initialPageParam: string
  readonly getNextPageParam: (page: Page<E>) => string | undefined
}

/** The options of `useMutation`. */
export interface CallMutation<A, T> {
  readonly mutationKey: CallKey
  readonly mutationFn: (args: A) => Promise<T>
}

/**
 * Creates the options of a query. The data is the body of a successful response, null without one; any other response
 * throws a `StatusError`.
 */
export function queryOptions<T>(call: QueryableCall<[], T>): CallQuery<CacheableBody<T>>
export function queryOptions<A extends readonly unknown[], T, X, const F extends string = string>(
  call: QueryableCall<A, T> & { readonly '~selects'?: X },
  params: SelectingParams<A, F>,
  ...rest: RestArguments<A>
): CallQuery<CacheableBody<SelectedSuccess<X, T, F>>>
export function queryOptions(call: QueryableCall<unknown[], unknown>, ...args: unknown[]): CallQuery<unknown> {
  return {
    queryKey: buildCallKey(call, args) as CallQuery<unknown>['queryKey'],
    queryFn: async ({ signal }) => (await call.ok(...withOptions(args, { signal }))) ?? null,
  }
}

/** Creates the options of an infinite query over the pages of a list. */
export function infiniteQueryOptions<E>(call: PageableCall<[], E>): CallInfiniteQuery<E>
export function infiniteQueryOptions<A extends readonly unknown[], E, X, const F extends string = string>(
  call: PageableCall<A, E> & { readonly '~selects'?: X },
  params: SelectingParams<A, F>,
  ...rest: RestArguments<A>
): CallInfiniteQuery<SelectedElement<X, E, F>>
export function infiniteQueryOptions(
  call: PageableCall<unknown[], unknown>,
  ...args: unknown[]
): CallInfiniteQuery<unknown> {
  return {
    queryKey: buildCallKey(call, args, 'pages') as CallInfiniteQuery<unknown>['queryKey'],
    queryFn: async ({ signal, pageParam: from }) => {
      const { value } = await call.pages(...withOptions(args, { signal, from })).next()
      return value ?? { elements: [], headers: new Headers(), cursor: END_OF_LIST }
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === END_OF_LIST ? undefined : cursor),
  }
}

/** Creates the options of a mutation. Its variables are the arguments of the call, as a tuple. */
export function mutationOptions<A extends readonly unknown[], T>(call: QueryableCall<A, T>): CallMutation<A, T> {
  return { mutationKey: call['~call'], mutationFn: (args) => call.ok(...args) }
}

const END_OF_LIST = 'end'

// The query client retries by itself, so the client does not, unless `attempts` is set.
function withOptions([params, options]: readonly unknown[], own: object): unknown[] {
  return [params, { attempts: 1, ...(options as object | undefined), ...own }]
}

// Keys are compared as JSON, which has no bigint. Functions and signals of the options are not part of them.
function buildCallKey(call: NamedCall, args: readonly unknown[], ...more: string[]): CallKey {
  const [params, options] = args as [unknown, { readonly payload?: unknown; readonly headers?: unknown }?]
  const { payload, headers } = options ?? {}
  const text = JSON.stringify([params ?? {}, payload, headers], (_, one) => (typeof one === 'bigint' ? `${one}n` : one))
  const [first, ...rest] = JSON.parse(text) as unknown[]
  return [...call['~call'], first, ...(rest.every((one) => one === null) ? [] : rest), ...more]
}
