// Hides secrets from policies that do not read them: replaces values that are declared secret.
import type { Policy, PolicyRequest } from '../../design/declare/policy.ts'
import type { ResolvedAction, ResolvedRoute } from '../../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { getChildAttribute, mapMembers } from '../../schema/children.ts'
import { hasSecrets, isSecret, REDACTED } from '../redaction.ts'

/** The secrets of an action's requests that a policy does not see. */
export interface HiddenInputs {
  /** Lower-case names of headers. */
  readonly headers: ReadonlySet<string>
  /** Names of params. */
  readonly params: ReadonlySet<string>
  /** Whether some of them are in the body. */
  readonly inBody: boolean
  /** Replaces the secret values among loaded ones. */
  redactInput(input: PolicyRequest['input']): PolicyRequest['input']
}

/**
 * Finds the secrets of an action that a policy does not see; undefined if there are none, or if the policy reads
 * secrets.
 */
export function findHiddenInputs(action: ResolvedAction, policy?: Policy): HiddenInputs | undefined {
  if (policy?.readsSecrets === true) return undefined
  const { headers: policyHeaders = {}, reads = [], readsHeaders = [] } = policy ?? {}
  const read = new Set([...Object.keys(policyHeaders), ...readsHeaders].map((name) => name.toLowerCase()))
  const headers = filterSecrets(action.headers, (name) => read.has(name.toLowerCase()))
  const params = filterSecrets(action.params, (name) => reads.includes(name))
  const body = action.payload?.attribute
  const payload = body !== undefined && hasSecrets(body) ? body : undefined
  const hasNone = payload === undefined && [headers, params].every((one) => Object.keys(one).length === 0)
  if (hasNone) return undefined
  return {
    headers: new Set(Object.keys(headers).map((name) => name.toLowerCase())),
    params: new Set(Object.keys(params)),
    inBody: payload !== undefined || (Object.keys(params).length > 0 && action.routes.some(hasBodyParams)),
    redactInput: (input) => ({
      params: redactMembers(params, input.params),
      headers: redactMembers(headers, input.headers),
      payload: payload === undefined ? input.payload : redactValue(payload, input.payload),
    }),
  }
}

const hasBodyParams = (route: ResolvedRoute): boolean => route.params === 'body'

const filterSecrets = (attributes: Attributes, isRead: (name: string) => boolean): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name, one]) => hasSecrets(one) && !isRead(name)))

function redactMembers(secrets: Attributes, values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values
  return mapMembers(values as Record<string, unknown>, (value, name) =>
    Object.hasOwn(secrets, name) ? redactValue(secrets[name] as Attribute, value) : value,
  )
}

/** Returns a value without its secrets; a placeholder if they cannot be located in it. */
function redactValue(attribute: Attribute, value: unknown): unknown {
  if (value === undefined || value === null || !hasSecrets(attribute)) return value
  const { shape } = (attribute.core.target ?? attribute).core
  if (isSecret(attribute) || typeof value !== 'object') return REDACTED
  const redactChild = (one: unknown, step: string): unknown => {
    const child = getChildAttribute(attribute, step)
    return child === undefined ? one : redactValue(child, one)
  }
  if (shape === 'list' && Array.isArray(value)) return value.map((one: unknown) => redactChild(one, '*'))
  return shape === 'object' || shape === 'record' ? mapMembers(value as Record<string, unknown>, redactChild) : REDACTED
}
