// Creates the responses of a mock: with the declared headers, and with examples where there are no rows.

import Negotiator from 'negotiator'
import { attributeRules } from '../design/attribute-rules.ts'
import { ActionResponse, type HeaderBag } from '../design/declare/action-response.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import { ExampleSeed } from '../schema/example.ts'
import { getPatternMatcher, makePatternExample } from '../schema/scalars/text-pattern.ts'
import { getEssence, isJsonType } from '../util/media-type.ts'
import { createValue, toJsonValue } from './example-values.ts'
import { MockEvents } from './mock-events.ts'

/** The content of a response. */
export interface ResponseParts {
  /** Returns the body for a declared representation; undefined selects an example. */
  readonly body?: (form: ResolvedBody) => unknown
  /** Candidates for `Location`, best first. The first that matches the rule is used. */
  readonly locations?: readonly string[]
  /** The id of the event behind which a stream goes on. */
  readonly lastEventId?: unknown
}

/** Creates a response that conforms to its declaration. */
export function createMockResponse(
  action: ResolvedAction,
  declared: ResolvedResponse,
  accept: string | undefined,
  { body, locations = [], lastEventId }: ResponseParts = {},
): ActionResponse {
  const seed = new ExampleSeed(`/${action.endpoint.name}/${action.name}/${declared.name}`)
  const form = chooseBody(declared.bodies, accept)
  const headers: HeaderBag = {}
  if (form !== undefined && declared.bodies.length > 1) headers['Content-Type'] = form.identifier
  for (const [name, rule] of declared.headers) {
    const value = createHeaderValue(rule, seed.at(name))
    if (value !== undefined) headers[name] = value
  }
  const location = chooseLocation(declared, locations, seed)
  if (location !== undefined) headers['Location'] = location
  const content = form === undefined ? undefined : (body?.(form) ?? createExampleBody(form, seed, lastEventId))
  return new ActionResponse(
    declared.name,
    declared.status,
    content === undefined ? { headers } : { headers, body: content },
  )
}

// Chooses the representation by `Accept`. If none is acceptable, the application responds with 406.
function chooseBody(forms: readonly ResolvedBody[], accept: string | undefined): ResolvedBody | undefined {
  if (forms.length < 2 || accept === undefined) return forms[0]
  const essences = forms.map(({ identifier }) => getEssence(identifier))
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(essences)
  return forms[essences.indexOf(best ?? '')]
}

function createExampleBody(
  { attribute, list, identifier, stream }: ResolvedBody,
  seed: ExampleSeed,
  lastEventId: unknown,
): unknown {
  if (attribute !== undefined && stream?.as === 'events') return new MockEvents(attribute, seed, lastEventId)
  if (attribute === undefined) return isJsonType(getEssence(identifier)) ? {} : 'example\n'
  return list
    ? [0, 1, 2].map((i) => attributeRules.makeExample(attribute, seed.at(i)))
    : attributeRules.makeExample(attribute, seed)
}

function chooseLocation({ location, status }: ResolvedResponse, candidates: readonly string[], seed: ExampleSeed) {
  if (location === undefined) return status === 201 ? candidates[0] : undefined
  if (typeof location === 'string') return location
  return candidates.find((one) => getPatternMatcher(location).test(one)) ?? makePatternExample(location, seed)
}

function createHeaderValue(rule: string | RegExp | Attribute | true, seed: ExampleSeed): string | undefined {
  if (rule === true) return 'example'
  if (typeof rule === 'string') return rule
  if (!isAttribute(rule)) return makePatternExample(rule, seed)
  if (rule.options.required !== true) return undefined
  const plain = toJsonValue(rule, createValue(rule, seed))
  return typeof plain === 'object' ? JSON.stringify(plain) : String(plain)
}
