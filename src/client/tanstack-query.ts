// The public entry `edict/tanstack-query`: options of TanStack Query for calls of a client.
import type { DataTag, InfiniteData } from '@tanstack/query-core'
import type { SelectedElement, Page, SelectedSuccess } from './types.ts'

/** The key of a query: an endpoint, an action, and the arguments of a call as JSON. */
export type CallKey = readonly [endpoint: string, action: string, ...args: unknown[]]

// Query Core takes undefined for a mistake.
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

/** The params of the arguments A, which may select the fields F; which fields there are is said in A alone. */
type SelectingParams<A extends readonly unknown[], F> =
  | (NonNullable<A[0]> & { readonly fields?: readonly (F | (string & {}))[] | string | undefined })
  | Extract<A[0], undefined>

/** The arguments A behind the params. */
type RestArguments<A extends readonly unknown[]> = A extends readonly [unknown?, ...infer R] ? R : never

/** Options of `useQuery`, `fetchQuery` and their like. */
export interface CallQuery<T> {
  readonly queryKey: DataTag<CallKey, T>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
}

/** Options of `useInfiniteQuery`, `fetchInfiniteQuery` and their like. */
export interface CallInfiniteQuery<E> {
  readonly queryKey: DataTag<CallKey, InfiniteData<Page<E>, string>>
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: string }) => Promise<Page<E>>
  readonly initialPageParam: string
  readonly getNextPageParam: (page: Page<E>) => string | undefined
}

/** Options of `useMutation`. */
export interface CallMutation<A, T> {
  readonly mutationKey: CallKey
  readonly mutationFn: (args: A) => Promise<T>
}

/** Makes the options of a query: the body of a success, where it has none null; a `StatusError` for any other answer. */
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

/** Makes the options of an infinite query: the pages of a list, each with the place of the next. */
export function infiniteQueryOptions<E>(call: PageableCall<[], E>): CallInfiniteQuery<E>
export function infiniteQueryOptions<A extends readonly unknown[], E, X, const F extends string = string>(
  call: PageableCall<A, E> & { readonly '~selects'?: X },
  params: SelectingParams<A, F>,
  ...rest: RestArguments<A>
): CallInfiniteQuery<SelectedElement<X, E, F>>
export function infiniteQueryOptions(call: PageableCall<unknown[], unknown>, ...args: unknown[]): CallInfiniteQuery<unknown> {
  return {
    queryKey: buildCallKey(call, args, 'pages') as CallInfiniteQuery<unknown>['queryKey'],
    queryFn: async ({ signal, pageParam: from }) => {
      const { value } = await call.pages(...withOptions(args, { signal, from })).next()
      return value ?? { elements: [], headers: new Headers(), cursor: END_OF_LIST }
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor: place }) => (place === END_OF_LIST ? undefined : place),
  }
}

/** Makes the options of a mutation: its variables are the arguments of the call, as a list. */
export function mutationOptions<A extends readonly unknown[], T>(call: QueryableCall<A, T>): CallMutation<A, T> {
  return { mutationKey: call['~call'], mutationFn: (args) => call.ok(...args) }
}

const END_OF_LIST = 'end'

// The query client repeats what fails: the client does not do so as well unless it is asked to.
function withOptions([params, options]: readonly unknown[], own: object): unknown[] {
  return [params, { attempts: 1, ...(options as object | undefined), ...own }]
}

// Keys are compared as JSON, which has no bigints. Functions and signals of options are no part of them.
function buildCallKey(call: NamedCall, args: readonly unknown[], ...more: string[]): CallKey {
  const [params, options] = args as [unknown, { readonly payload?: unknown; readonly headers?: unknown }?]
  const { payload, headers } = options ?? {}
  const text = JSON.stringify([params ?? {}, payload, headers], (_, one) => (typeof one === 'bigint' ? `${one}n` : one))
  const [first, ...rest] = JSON.parse(text) as unknown[]
  return [...call['~call'], first, ...(rest.every((one) => one === null) ? [] : rest), ...more]
}
