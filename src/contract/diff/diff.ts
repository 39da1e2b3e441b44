// Compares two contracts and classifies each difference by its effect on clients.

import { compareAscending } from '../../util/compare.ts'
import type { ActionContract, Contract, EndpointContract } from '../contract.ts'
import { type Change, ChangeCollector, type ComparedContracts, collectNames, getRecordValue } from './change.ts'
import { compareInputs } from './compare-inputs.ts'
import { compareResponses } from './compare-responses.ts'
import { compareRoutes } from './compare-routes.ts'
import { comparePolicies } from './compare-terms.ts'

/** Lists the differences between two contracts, breaking changes first. */
export function diffContracts(old: Contract, now: Contract): readonly Change[] {
  const changes = new ChangeCollector()
  const sides: ComparedContracts = { changes, old: old.schemas, now: now.schemas }
  compareApis(old, now, changes)
  const [before, after] = [indexEndpoints(old), indexEndpoints(now)]
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort(compareAscending)) {
    const [was, is] = [before.get(key), after.get(key)]
    if (was !== undefined && is !== undefined) compareEndpoints(was, is, sides)
    else if (was !== undefined) reportRemovedEndpoint(was, now, changes)
    else if (is !== undefined) reportAddedEndpoint(is, old, changes)
  }
  return changes.toSorted()
}

const indexEndpoints = ({ endpoints }: Contract): ReadonlyMap<string, EndpointContract> =>
  new Map(endpoints.map((one) => [`${one.name}\n${one.version ?? ''}`, one]))

function compareApis(old: Contract, now: Contract, changes: ChangeCollector): void {
  changes.addText('API', 'title-changed', { what: 'its title', old: old.title, now: now.title })
  changes.addText('API', 'description-changed', { what: 'its description', old: old.description, now: now.description })
  const reportBreaking = (rule: string, what: string, was: string | number, is: string | number): void => {
    if (was !== is) changes.add('breaking', 'API', rule, `${what} is ${is || "''"} now, and was ${was || "''"}`)
  }
  reportBreaking('base-path-changed', 'the base path', old.basePath, now.basePath)
  reportBreaking(
    'validation-status-changed',
    'the status of requests that are refused',
    old.validationStatus,
    now.validationStatus,
  )
  reportBreaking('problem-type-changed', 'the media type of problems', old.problems, now.problems)
  for (const carrier of collectNames(toNameSet(old.versionWith), toNameSet(now.versionWith))) {
    const [was, is] = [old.versionWith.includes(carrier), now.versionWith.includes(carrier)]
    if (was && !is)
      changes.add('breaking', 'API', 'version-carrier-removed', `versions in the ${carrier} are not read any more`)
    if (is && !was) changes.add('compatible', 'API', 'version-carrier-added', `versions in the ${carrier} are read now`)
  }
  for (const name of ['queryPairs', 'queryDepth'] as const) {
    const [was, is] = [old.limits[name], now.limits[name]]
    if (was === is) continue
    const rule = `${name === 'queryPairs' ? 'query-pairs' : 'query-depth'}-${is < was ? 'lowered' : 'raised'}`
    changes.add(is < was ? 'breaking' : 'compatible', 'API', rule, `${name} is ${is} now, and was ${was}`)
  }
}

const toNameSet = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, true]))

// --- endpoints -----------------------------------------------------------------------

const formatEndpointName = ({ name, version }: EndpointContract): string =>
  version === undefined ? name : `${name} (${version})`

function reportRemovedEndpoint(endpoint: EndpointContract, { endpoints }: Contract, changes: ChangeCollector): void {
  const others = endpoints.some(({ name }) => name === endpoint.name)
  changes.add('breaking', formatEndpointName(endpoint), others ? 'version-removed' : 'endpoint-removed', 'it is gone')
}

function reportAddedEndpoint(endpoint: EndpointContract, { endpoints }: Contract, changes: ChangeCollector): void {
  const others = endpoints.some(({ name }) => name === endpoint.name)
  changes.add('compatible', formatEndpointName(endpoint), others ? 'version-added' : 'endpoint-added', 'it is new')
}

function compareEndpoints(was: EndpointContract, is: EndpointContract, sides: ComparedContracts): void {
  const { changes } = sides
  const location = formatEndpointName(is)
  compareEndpointTexts(was, is, location, changes)
  compareNodoc(was.nodoc, is.nodoc, location, changes)
  for (const name of collectNames(was.actions, is.actions)) {
    const [before, after] = [getRecordValue(was.actions, name), getRecordValue(is.actions, name)]
    const actionLocation = `${is.name}.${name}${is.version === undefined ? '' : ` (${is.version})`}`
    if (before === undefined) changes.add('compatible', actionLocation, 'action-added', 'it is new')
    else if (after === undefined) changes.add('breaking', actionLocation, 'action-removed', 'it is gone')
    else compareActions(before, after, actionLocation, sides)
  }
}

function compareActions(was: ActionContract, is: ActionContract, location: string, sides: ComparedContracts): void {
  const { changes } = sides
  compareEndpointTexts(was, is, location, changes)
  compareOperationIds(was.operationId, is.operationId, location, changes)
  compareNodoc(was.nodoc, is.nodoc, location, changes)
  compareRoutes(was.routes, is.routes, location, changes)
  compareInputs(was, is, location, sides)
  compareResponses(was.responses, is.responses, location, sides)
  comparePolicies(was.policies, is.policies, location, changes)
}

interface EndpointTexts {
  readonly summary?: string
  readonly description?: string
}

function compareEndpointTexts(was: EndpointTexts, is: EndpointTexts, location: string, changes: ChangeCollector): void {
  changes.addText(location, 'summary-changed', { what: 'its summary', old: was.summary, now: is.summary })
  changes.addText(location, 'description-changed', {
    what: 'its description',
    old: was.description,
    now: is.description,
  })
}

// Generated clients name their functions after the operation id.
function compareOperationIds(
  was: string | undefined,
  is: string | undefined,
  location: string,
  changes: ChangeCollector,
): void {
  if (was === is) return
  const now = is === undefined ? 'the default one' : `'${is}'`
  changes.add('breaking', location, 'operation-id-changed', `its operation id is ${now} now`)
}

function compareNodoc(was: true | undefined, is: true | undefined, location: string, changes: ChangeCollector): void {
  if (was === is) return
  changes.add(
    'documentation',
    location,
    is ? 'nodoc-added' : 'nodoc-removed',
    `it is ${is ? 'not ' : ''}documented now`,
  )
}
