// Builds the tags of a document. Tags that the application declares come first, in their order.
import type { Tag } from '../design/metadata.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import type { OpenapiVersion, TagObject } from './types.ts'

/**
 * Builds the tags of some actions. The application's description of a tag takes precedence over those of its endpoints.
 */
export function buildTags(
  actions: readonly ResolvedAction[],
  declared: readonly Tag[] = [],
  openapi: OpenapiVersion = '3.1',
): TagObject[] {
  const used = new Set(actions.flatMap(({ tags }) => tags))
  // The parents of a tag must be in the document, even if no operation has them.
  if (openapi === '3.2') for (const name of [...used].flatMap((one) => listTagAncestors(one, declared))) used.add(name)
  const endpoints = [...new Set(actions.map(({ endpoint }) => endpoint))]
  const listed = declared.filter(({ name }) => used.delete(name))
  return [...listed, ...[...used].map((name): Tag => ({ name }))].map((tag) =>
    buildTagObject({ ...mergeEndpointTags(tag.name, endpoints), ...tag }, openapi),
  )
}

/** Lists the tags that a declared tag is a part of; one that is in a circle is among its own. */
export function listTagAncestors(name: string, declared: readonly Tag[]): string[] {
  const ancestors: string[] = []
  const getParent = (of: string): string | undefined => declared.find((tag) => tag.name === of)?.parent
  for (let at = getParent(name); at !== undefined && !ancestors.includes(at); at = getParent(at)) ancestors.push(at)
  return ancestors
}

function buildTagObject(
  { name, summary, description, externalDocs, parent, kind }: Tag,
  openapi: OpenapiVersion,
): TagObject {
  const isNested = openapi === '3.2'
  return {
    name,
    ...(summary !== undefined && { [isNested ? 'summary' : 'x-displayName']: summary }),
    ...(description !== undefined && { description }),
    ...(externalDocs !== undefined && { externalDocs }),
    ...(isNested && parent !== undefined && { parent }),
    ...(isNested && kind !== undefined && { kind }),
  }
}

// Endpoints may share a tag: their descriptions are concatenated; the summary and the link are those of the first.
function mergeEndpointTags(name: string, endpoints: readonly ResolvedEndpoint[]): Tag {
  const tagged = endpoints.filter(({ tags }) => tags[0] === name)
  const texts = tagged.flatMap(({ description }) => (description === undefined ? [] : [description]))
  const [summary] = tagged.flatMap((one) => one.summary ?? [])
  const [externalDocs] = tagged.flatMap((one) => one.externalDocs ?? [])
  return {
    name,
    ...(summary !== undefined && { summary }),
    ...(texts.length > 0 && { description: texts.join('\n\n') }),
    ...(externalDocs !== undefined && { externalDocs }),
  }
}
