// Builds the tags of a document. Tags that the application declares come first, in their order.
import type { Tag } from '../design/metadata.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import type { TagObject } from './types.ts'

/**
 * Builds the tags of some actions. The application's description of a tag takes precedence over those of its endpoints.
 */
export function buildTags(actions: readonly ResolvedAction[], declared: readonly Tag[] = []): TagObject[] {
  const used = new Set(actions.flatMap(({ tags }) => tags))
  const endpoints = [...new Set(actions.map(({ endpoint }) => endpoint))]
  const listed = declared.filter(({ name }) => used.delete(name))
  return [...listed, ...[...used].map((name): Tag => ({ name }))].map((tag) =>
    buildTagObject({ ...mergeEndpointTags(tag.name, endpoints), ...tag }),
  )
}

const buildTagObject = ({ name, summary, description, externalDocs }: Tag): TagObject => ({
  name,
  ...(summary !== undefined && { 'x-displayName': summary }),
  ...(description !== undefined && { description }),
  ...(externalDocs !== undefined && { externalDocs }),
})

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
