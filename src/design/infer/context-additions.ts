// The members that policies and needs add to the context of an action.
import type { EndpointSpec } from '../declare/endpoint.ts'
import type { Need } from '../declare/need.ts'
import type { Policy } from '../declare/policy.ts'

/** The members that policies and needs add to the context of an action; without any, `unknown`, which adds nothing. */
export type ContextAdditions<S extends EndpointSpec, N extends keyof S['actions']> = AdditionsIn<S['actions'][N]> &
  AdditionsIn<S['actionDefaults']>

type AdditionsIn<X> = X extends { readonly policies: unknown } | { readonly needs: unknown }
  ? PolicyValues<X> & NeedValues<X>
  : unknown

type PolicyValues<X> = X extends { readonly policies: readonly (infer P)[] } ? PolicyAdditions<P> : unknown

// One function type for each policy: the compiler infers the intersection of their parameters.
type PolicyAdditions<P> = (P extends Policy<infer A> ? (added: A) => void : never) extends (added: infer I) => void
  ? I
  : unknown

type NeedValues<X> = X extends { readonly needs: infer M }
  ? { readonly [K in keyof M]: M[K] extends Need<infer T> ? T : never }
  : unknown
