// Who may ask a mock: everybody who brings credentials, whatever they are, or simply everybody.
import type { AnyDefinition } from '../design/definition.ts'
import { define } from '../design/definition.ts'
import type { AnyEndpoint, EndpointSpec } from '../design/endpoint.ts'
import type { SecurityScheme, SecuritySpec } from '../design/security.ts'
import { type Verifier, verifier } from '../server/verifier.ts'

/** Whom actions know when credentials were sent. */
const PRINCIPAL: Readonly<Record<string, unknown>> = Object.freeze({ id: 1, name: 'Ada Lovelace' })

/** Verifiers that let everybody in who brings credentials. */
export function openVerifiers(definitions: readonly AnyDefinition[]): readonly Verifier[] {
  const needs = definitions.flatMap((one) => [...one.resolve().actions.values()].flatMap(({ security }) => security))
  const schemes = new Set<SecurityScheme>(needs.flatMap((need) => (need === null ? [] : [need.scheme])))
  return [...schemes].map((scheme) => verifier(scheme, () => PRINCIPAL))
}

/** The same endpoint, in which strangers may do everything too. */
export function withoutDoors(definition: AnyEndpoint): AnyDefinition {
  const { name, spec } = definition
  const { actionDefaults, actions } = spec
  const opened = Object.entries(actions).map(([action, one]) => [action, opening(one)])
  return define(name, {
    ...spec,
    ...(actionDefaults !== undefined && { actionDefaults: opening(actionDefaults) }),
    actions: Object.fromEntries(opened),
  } as EndpointSpec)
}

function opening<S extends { readonly security?: SecuritySpec }>(stanza: S): S {
  return stanza.security === undefined ? stanza : { ...stanza, security: [stanza.security, 'none'].flat() }
}
