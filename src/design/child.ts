// Child endpoints, with new names for the parent's parameters.
import { isSettings } from '../util/setting-form.ts'
import type { AnyEndpoint, ChildOf, EndpointSpec, ParamNames } from './declare/endpoint.ts'
import type { PathAttributes } from './infer/inference.ts'

/** The mapping itself if the parent captures all its names, else a type with only the captured names. */
type CheckedMapping<M, S extends EndpointSpec> = S extends { readonly prefix: string }
  ? M // whose captures are left to the boot check
  : keyof M extends keyof PathAttributes<S>
    ? M
    : { readonly [K in keyof PathAttributes<S> & string]?: string }

/** Declares an endpoint as the child of another, with new names for the parent's parameters. */
export function childOf<E extends AnyEndpoint, const M extends ParamNames>(
  parent: E,
  mapping: CheckedMapping<M, E['spec']>,
): ChildOf<E, M> {
  const names = isSettings(mapping) ? Object.freeze({ ...mapping }) : mapping
  return Object.freeze({ '~endpoint': false, '~child': true, endpoint: parent, mapping: names as M })
}
