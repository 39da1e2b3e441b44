// Names that only documents use: operation ids, each once in a version, and tags that something uses.
import type { Tag } from '../../design/metadata.ts'
import { type DefinitionMistake, type Report, reporter } from '../../design/mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { suggestName } from '../../util/suggest-name.ts'

const listActions = (endpoints: readonly ResolvedEndpoint[]): ResolvedAction[] =>
  endpoints.flatMap((one) => [...one.actions.values()])

/** Reports operation ids that two actions have. */
export function checkUniqueIds(endpoints: readonly ResolvedEndpoint[], mistakes: DefinitionMistake[]): void {
  const actions = listActions(endpoints)
  if (actions.some(({ operationId }) => operationId !== undefined)) checkOperationIds(actions, mistakes)
}

// A version is a document, and the ids of a document are unique.
function checkOperationIds(actions: readonly ResolvedAction[], mistakes: DefinitionMistake[]): void {
  const owners = new Map<string, ResolvedAction>()
  const keyOf = ({ endpoint: { version } }: ResolvedAction, id: string): string => `${version ?? ''}\n${id}`
  const shown = actions.filter(({ nodoc }) => !nodoc)
  for (const action of shown) if (action.operationId === undefined) owners.set(keyOf(action, formatActionName(action)), action)
  for (const action of shown) {
    const { operationId, endpoint, name } = action
    if (operationId === undefined) continue
    const other = owners.get(keyOf(action, operationId))
    owners.set(keyOf(action, operationId), action)
    if (other === undefined) continue
    const problem = `'${operationId}' is the id of ${formatActionName(other)} already`
    reporter(mistakes, endpoint.name, name)('operationId', problem, 'give each action of a version its own')
  }
}

const formatActionName = ({ endpoint, name }: ResolvedAction): string => `${endpoint.name}.${name}`

/** Reports tags of the application that are there twice, or that no declaration has. */
export function checkTags(
  declared: readonly ResolvedEndpoint[],
  tags: readonly Tag[] | undefined,
  report: Report,
): void {
  if (tags === undefined) return
  const used = [...new Set(listActions(declared).flatMap((one) => one.tags))]
  for (const [i, { name }] of tags.entries()) {
    if (tags.findIndex((one) => one.name === name) < i)
      report(`tags[${i}]`, `there are two tags '${name}'`, 'keep one of them')
    else if (!used.includes(name))
      report(`tags[${i}]`, `no endpoint or action has the tag '${name}'`, suggestName(name, used))
  }
}
