// Implementations of endpoints, with mistakes that the compiler names in the first line of its message.

import type { Implementation, ImplementationClass } from './action-context.ts'
import type { EndpointSpec } from './declare/endpoint.ts'
import type { MistakenType } from './mistakes.ts'

/**
 * The implementation of the endpoint S, or the mistake of the argument I. While I is not yet inferred, any object is
 * accepted: the compiler would otherwise refuse the object before it knows its functions. I is inferred from the first
 * branch.
 */
export type CheckedImplementation<S extends EndpointSpec, I> =
  Inferred<I> extends Inferred<never>
    ? Implementation<S> | I | object
    : I extends ActionFunctions<keyof S['actions']>
      ? Implementation<S>
      : ImplementationMistake<S, I>

// An interface instead of a tuple: a tuple that is not assignable is compared member by member, with all members of
// arrays.
interface Inferred<out I> {
  readonly inferred: I
}

type ActionFunctions<N extends PropertyKey> = { readonly [K in N]: ActionFunction }

type ActionFunction = (params: never, context: never) => ActionResult | Promise<ActionResult>

type ActionResult = ResponseLike | string

interface ResponseLike {
  readonly status: number
}

// For other mistakes, the comparison with the implementation itself reports the error and suggests other names.
type ImplementationMistake<S extends EndpointSpec, I> = I extends abstract new (
  ...args: never
) => unknown
  ? ImplementationClass<S>
  : keyof S['actions'] extends keyof I
    ? [VoidActions<I>] extends [never]
      ? Implementation<S>
      : { readonly [N in keyof I]: N extends VoidActions<I> ? MustReply : unknown }
    : MissingActions<S, I>

/** The names of functions that return nothing on at least one path. */
type VoidActions<I> = { [N in keyof I]: I[N] extends (...args: never) => infer R ? IfVoid<R, N> : never }[keyof I]

type IfVoid<R, N> = R extends Promise<infer V> ? IfVoid<V, N> : R extends void ? N : never

// Because of the signature, the compiler reports the property and not the complete function.
interface MustReply {
  (...args: never): unknown
  readonly 'an action returns a reply on every path': never
}

type MissingActions<S extends EndpointSpec, I> = S extends NoEndpoint
  ? MistakenType<'implement an endpoint: a media type has no actions'>
  : keyof I extends keyof S['actions']
    ? MistakenType<`implement the action too: ${Exclude<keyof S['actions'], keyof I> & string}`>
    : Implementation<S>

/** The brand of a media type passed instead of an endpoint; the compiler refuses it. */
export interface MediaMark {
  readonly '~media': true
}

/** The declaration of a media type in place of an endpoint. */
export interface NoEndpoint extends EndpointSpec {
  readonly actions: { readonly '~none': never }
}
