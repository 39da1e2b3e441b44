// Tags: the groups that operations are listed in, those that the application declares first and in their order.
import type { Tag } from '../design/metadata.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import type { TagObject } from './types.ts'

/** The tags of some actions; what the application says of a tag comes before what its endpoints say. */
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

// Several endpoints may share a tag: their descriptions follow each other; a title or a link is that of the first.
function mergeEndpointTags(name: string, endpoints: readonly ResolvedEndpoint[]): Tag {
  const own = endpoints.filter(({ tags }) => tags[0] === name)
  const texts = own.flatMap(({ description }) => (description === undefined ? [] : [description]))
  const [summary] = own.flatMap((one) => one.summary ?? [])
  const [externalDocs] = own.flatMap((one) => one.externalDocs ?? [])
  return {
    name,
    ...(summary !== undefined && { summary }),
    ...(texts.length > 0 && { description: texts.join('\n\n') }),
    ...(externalDocs !== undefined && { externalDocs }),
  }
}
