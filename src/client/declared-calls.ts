// The table of calls of a declaration: its outline, with every function that its calls may need.
import { type AnyEndpoint, isEndpoint } from '../design/declare/endpoint.ts'
import { findShownList } from '../design/fields/shown-part.ts'
import { type ActionOutline, outlineEndpoint } from '../design/resolve/outline.ts'
import type { Attribute } from '../schema/attribute.ts'
import { makeDefaultFactory } from '../schema/default.ts'
import { getEssence } from '../util/media-type.ts'
import { unwrapSuccess } from './call-errors.ts'
import type { CallTable, EndpointTable, Walk } from './call-table.ts'
import { makeWalk } from './iterate-list.ts'
import { streamReader } from './read-stream.ts'
import { sendCall } from './send-call.ts'
import { canRepeat, sendWithRetries } from './send-with-retries.ts'
import type { ElementIterator } from './types.ts'
import { writeBody, writeParams } from './write-body.ts'

/** Returns the calls of a definition; undefined for anything else. */
export function tabulateDefinition(value: unknown): EndpointTable | undefined {
  return isEndpoint(value) ? tabulateEndpoint(value) : undefined
}

const tabulateEndpoint = (definition: AnyEndpoint): EndpointTable =>
  new Map([...outlineEndpoint(definition)].map(([name, action]) => [name, tabulateAction(action)]))

function tabulateAction(action: ActionOutline): CallTable {
  const bodies = action.responses.flatMap((one) => one.bodies)
  return {
    ...action,
    ...getBodyWriters(action),
    selectors: listSelectors(action.params),
    walk: findWalk(action),
    follow: findFollower(action),
    streams: bodies.some(({ attribute, identifier, stream }) =>
      attribute === undefined ? streamReader.accepts(getEssence(identifier)) : stream !== undefined,
    )
      ? streamReader
      : undefined,
    repeat: canRepeat(action) ? sendWithRetries : undefined,
    fill: makeDefaultFactory,
  }
}

function listSelectors(params: ActionOutline['params']): CallTable['selectors'] {
  const found = Object.entries(params).flatMap(([name, { core }]) => (core.selectsFrom === undefined ? [] : [name]))
  return found.length === 0 ? undefined : found
}

/** Returns the functions that write the bodies of an action's requests. */
export const getBodyWriters = ({
  payload,
  params,
  paramTypes,
}: Pick<ActionOutline, 'payload' | 'params' | 'paramTypes'>): Pick<CallTable, 'writeBody' | 'writeParams'> => ({
  writeBody: payload && ((value, headers, action) => writeBody(payload, value, headers, action)),
  writeParams: (values, headers) => writeParams(paramTypes, params, values, headers),
})

/** Returns the iteration over the list of an action; undefined for an action without one. */
function findWalk({ params, responses }: ActionOutline): Walk | undefined {
  const listing = Object.values(params).find(({ core }) => core.listing !== undefined)?.core.listing
  if (listing !== undefined) return makeWalk([], listing)
  const path = findListPath(responses)
  return path && makeWalk(path)
}

/** Returns the function that follows the events of an action; undefined for an action without them. */
function findFollower({ responses }: ActionOutline): CallTable['follow'] {
  const follow = responses.flatMap(({ bodies }) => bodies.flatMap(({ stream }) => stream?.follow ?? []))[0]
  return follow && ((list) => follow(list, sendCall, unwrapSuccess) as ElementIterator<unknown>)
}

/** Returns the names of the members that lead to the list of a successful body; undefined if there is no list. */
export function findListPath(responses: ActionOutline['responses']): readonly string[] | undefined {
  for (const { name, bodies } of responses)
    for (const { attribute, list, stream } of name === 'ok' ? bodies : []) {
      if (stream !== undefined || attribute === undefined) continue
      const path = list || isList(attribute) ? [] : findShownList(attribute)?.path
      if (path !== undefined) return path
    }
  return undefined
}

const isList = ({ core }: Attribute): boolean =>
  core.target === undefined ? core.shape === 'list' : isList(core.target)
