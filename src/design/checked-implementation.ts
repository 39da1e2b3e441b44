// Implementations of endpoints, and mistakes in them that compilers name in the first line of their message.
import type { EndpointSpec } from './declare/endpoint.ts'
import type { MistakenType } from './mistakes.ts'
import type { Implementation, ImplementationClass } from './action-context.ts'

/**
 * The implementation of the endpoint S, or the mistake of what is given, I. While that is not yet known, any object will do:
 * compilers would else refuse it before they know the functions in it. I is inferred from the first branch.
 */
export type CheckedImplementation<S extends EndpointSpec, I> =
  Inferred<I> extends Inferred<never>
    ? Implementation<S> | I | object
    : I extends ActionFunctions<keyof S['actions']>
      ? Implementation<S>
      : ImplementationMistake<S, I>

// A tuple that is not assignable to another is compared member by member, with all that arrays have.
interface Inferred<out I> {
  readonly inferred: I
}

type ActionFunctions<N extends PropertyKey> = { readonly [K in N]: ActionFunction }

type ActionFunction = (params: never, context: never) => ActionResult | Promise<ActionResult>

type ActionResult = ResponseLike | string

interface ResponseLike {
  readonly status: number
}

// Where it is none of these mistakes, the comparison with the implementation itself tells, and suggests other names.
type ImplementationMistake<S extends EndpointSpec, I> = I extends abstract new (
  ...args: never
) => unknown
  ? ImplementationClass<S>
  : keyof S['actions'] extends keyof I
    ? [VoidActions<I>] extends [never]
      ? Implementation<S>
      : { readonly [N in keyof I]: N extends VoidActions<I> ? MustReply : unknown }
    : MissingActions<S, I>

/** The names of functions that return nothing, at least on some path. */
type VoidActions<I> = { [N in keyof I]: I[N] extends (...args: never) => infer R ? IfVoid<R, N> : never }[keyof I]

type IfVoid<R, N> = R extends Promise<infer V> ? IfVoid<V, N> : R extends void ? N : never

// The signature is what makes compilers report the property and not the whole function.
interface MustReply {
  (...args: never): unknown
  readonly 'an action returns a reply on every path': never
}

type MissingActions<S extends EndpointSpec, I> = S extends NoEndpoint
  ? MistakenType<'implement an endpoint: a media type has no actions'>
  : keyof I extends keyof S['actions']
    ? MistakenType<`implement the action too: ${Exclude<keyof S['actions'], keyof I> & string}`>
    : Implementation<S>

/** The mark of a media type, in place of an endpoint: it is refused where its actions are implemented. */
export interface MediaMark {
  readonly '~media': true
}

/** The declaration of a media type in place of an endpoint. */
export interface NoEndpoint extends EndpointSpec {
  readonly actions: { readonly '~none': never }
}
