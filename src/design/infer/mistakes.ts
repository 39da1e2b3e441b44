// Mistakes of a declaration that the compiler can see: captures without a param, heirs without an origin.
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { Heir } from '../../schema/inherit.ts'
import type { ActionSpec, PayloadReference } from '../declare/action.ts'
import type { EndpointSpec } from '../declare/endpoint.ts'
import type { FlatAttributes, HeirMistakes, Rootless, RootlessIn } from '../resolve/heirs.ts'
import type { MistakenType } from '../resolve/mistakes.ts'
import type { RoutingParams } from './captures.ts'
import type { Default, MediaAttributes } from './inference.ts'

/** Refuses captures that params do not declare and inherited attributes that the media type does not have. */
export type CheckedActions<S extends EndpointSpec> = [
  MistakenIn<S['actions'], keyof Default<S, 'params'>, MediaAttributes<S>>,
] extends [never]
  ? unknown
  : { readonly actions: MistakesIn<S['actions'], keyof Default<S, 'params'>, MediaAttributes<S>> }

// Whether there is any mistake is found out first: a type that names their places would also be the contextual type of
// everything within the declaration, and be worked out again at each of its expressions.
type MistakenIn<A extends EndpointSpec['actions'], D, M> = {
  [N in keyof A]: Undeclared<A[N], D> | RootlessParams<A[N]['params'], M> | RootlessPayload<A[N]['payload'], M>
}[keyof A]

type Undeclared<A extends ActionSpec, D> = Exclude<RoutingParams<A['routing']>, keyof A['params'] | D>

type RootlessParams<X, M> = X extends Attributes ? never : Rootless<X, M>

type RootlessPayload<X, M> = X extends Attribute | PayloadReference
  ? never
  : X[Exclude<keyof X, keyof M>] extends Attribute
    ? X extends FlatAttributes
      ? never
      : Rootless<X, M>
    : X extends Heir
      ? RootlessIn<X, M>
      : Rootless<X, M>

type MistakesIn<A extends EndpointSpec['actions'], D, M> = {
  readonly [N in keyof A]: ([Undeclared<A[N], D>] extends [never]
    ? unknown
    : { readonly routing: MistakenType<`declare in params: ${Undeclared<A[N], D> & string}`> }) &
    (A[N] extends { readonly params: infer X } ? { readonly params: HeirMistakes<X, M, NotInMedia> } : unknown) &
    (A[N] extends { readonly payload: infer X } ? { readonly payload: PayloadMistakes<X, M> } : unknown)
}

type NotInMedia = 'not an attribute of the media type'

type PayloadMistakes<X, M> = X extends Attribute | PayloadReference
  ? unknown
  : X extends Heir
    ? [RootlessIn<X, M>] extends [never]
      ? unknown
      : MistakenType<`${NotInMedia}: ${RootlessIn<X, M> & string}`>
    : HeirMistakes<X, M, NotInMedia>
