// Checks names that only documents use: operation ids are unique in a version, and tags are used.
import type { Tag } from '../../design/metadata.ts'
import { createReporter, type DefinitionMistake, type Report } from '../../design/mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { listTagAncestors } from '../../openapi/tags.ts'
import { suggestName } from '../../util/suggest-name.ts'

const listActions = (endpoints: readonly ResolvedEndpoint[]): ResolvedAction[] =>
  endpoints.flatMap((one) => [...one.actions.values()])

/** Reports operation ids that two actions share. */
export function checkUniqueIds(endpoints: readonly ResolvedEndpoint[], mistakes: DefinitionMistake[]): void {
  const actions = listActions(endpoints)
  if (actions.some(({ operationId }) => operationId !== undefined)) checkOperationIds(actions, mistakes)
}

// Each version has its own document, and operation ids are unique within a document.
function checkOperationIds(actions: readonly ResolvedAction[], mistakes: DefinitionMistake[]): void {
  const owners = new Map<string, ResolvedAction>()
  const toKey = ({ endpoint: { version } }: ResolvedAction, id: string): string => `${version ?? ''}\n${id}`
  const documented = actions.filter(({ nodoc }) => !nodoc)
  for (const action of documented)
    if (action.operationId === undefined) owners.set(toKey(action, formatActionName(action)), action)
  for (const action of documented) {
    const { operationId, endpoint, name } = action
    if (operationId === undefined) continue
    const other = owners.get(toKey(action, operationId))
    owners.set(toKey(action, operationId), action)
    if (other === undefined) continue
    const problem = `'${operationId}' is the id of ${formatActionName(other)} already`
    createReporter(mistakes, endpoint.name, name)('operationId', problem, 'give each action of a version its own')
  }
}

const formatActionName = ({ endpoint, name }: ResolvedAction): string => `${endpoint.name}.${name}`

/** Reports tags of the application that are listed twice, that no declaration uses, or that have no proper parent. */
export function checkTags(
  declared: readonly ResolvedEndpoint[],
  tags: readonly Tag[] | undefined,
  report: Report,
): void {
  if (tags === undefined) return
  const used = [...new Set(listActions(declared).flatMap((one) => one.tags))]
  const ancestors = used.flatMap((name) => listTagAncestors(name, tags))
  const names = tags.map(({ name }) => name)
  for (const [i, { name, parent }] of tags.entries()) {
    if (names.indexOf(name) < i) report(`tags[${i}]`, `there are two tags '${name}'`, 'keep one of them')
    else if (!used.includes(name) && !ancestors.includes(name))
      report(`tags[${i}]`, `no endpoint or action has the tag '${name}'`, suggestName(name, used))
    if (parent !== undefined && !names.includes(parent))
      report(`tags[${i}].parent`, `there is no tag '${parent}' in the list`, suggestName(parent, names))
    if (listTagAncestors(name, tags).includes(name))
      report(`tags[${i}].parent`, `the tag '${name}' is its own ancestor`, 'remove the parent')
  }
}
