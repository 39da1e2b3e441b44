// Compares what clients receive. A new version may return less variety, but not more, and must keep what it promised.
import { isSameData } from '../canonical.ts'
import type { ActionContract, BodyContract, HeaderContract, ResponseContract } from '../contract.ts'
import { type ChangeCollector, type ComparedContracts, collectNames, getRecordValue } from './change.ts'
import { compareExtraConstraints } from './compare-constraints.ts'
import { compareRequired, compareSchemas, type SchemaComparison } from './compare-schemas.ts'

type ResponseContracts = ActionContract['responses']

/** Compares the responses of two versions of an action. */
export function compareResponses(
  old: ResponseContracts,
  now: ResponseContracts,
  location: string,
  sides: ComparedContracts,
): void {
  const renamed = findRenamedResponses(old, now)
  const renamedTo = new Set(renamed.values())
  const succeeded = Object.values(old).some(({ status }) => status < 400)
  for (const name of collectNames(old, now)) {
    const responseLocation = `${location} › responses.${name}`
    const was = getRecordValue(old, name)
    const is = getRecordValue(now, renamed.get(name) ?? name)
    if (was !== undefined && is !== undefined) compareResponse(was, is, responseLocation, sides)
    else if (was !== undefined) reportRemovedResponse(was, responseLocation, sides.changes)
    else if (is !== undefined && !renamedTo.has(name))
      reportAddedResponse(is, succeeded, responseLocation, sides.changes)
  }
}

// Clients identify responses by status, so a renamed response is not a change for them.
function findRenamedResponses(old: ResponseContracts, now: ResponseContracts): ReadonlyMap<string, string> {
  const removed = Object.entries(old).filter(([name]) => getRecordValue(now, name) === undefined)
  const added = Object.entries(now).filter(([name]) => getRecordValue(old, name) === undefined)
  const pairs = removed.flatMap(([name, { status }]) => {
    const same = added.filter(([, other]) => other.status === status)
    const only = same.length === 1 && removed.filter(([, other]) => other.status === status).length === 1
    return only ? [[name, (same[0] as (typeof same)[number])[0]] as const] : []
  })
  return new Map(pairs)
}

function reportRemovedResponse({ status }: ResponseContract, location: string, changes: ChangeCollector): void {
  if (status < 400) changes.add('breaking', location, 'response-removed', `${status} is not a response any more`)
  else changes.add('compatible', location, 'error-removed', `the failure ${status} is not declared any more`)
}

function reportAddedResponse(
  { status }: ResponseContract,
  succeeded: boolean,
  location: string,
  changes: ChangeCollector,
): void {
  if (status >= 400) changes.add('compatible', location, 'error-added', `there is a new failure, ${status}`)
  else if (succeeded)
    changes.add('breaking', location, 'response-added', `${status} is a new response, which clients do not know`)
  else changes.add('compatible', location, 'response-added', `${status} is a new response`)
}

function compareResponse(
  was: ResponseContract,
  is: ResponseContract,
  location: string,
  sides: ComparedContracts,
): void {
  const { changes } = sides
  if (was.status !== is.status)
    changes.add('breaking', location, 'status-changed', `its status is ${is.status} now, and was ${was.status}`)
  changes.addText(location, 'description-changed', {
    what: 'its description',
    old: was.description,
    now: is.description,
  })
  compareHeaders(was.headers, is.headers, location, sides)
  compareBodies(was.bodies, is.bodies, location, sides)
}

const makeOutputComparison = (sides: ComparedContracts): SchemaComparison => ({
  ...sides,
  direction: 'output',
  inProgress: new Set(),
})

type HeaderContracts = Readonly<Record<string, HeaderContract>>

function compareHeaders(old: HeaderContracts, now: HeaderContracts, location: string, sides: ComparedContracts): void {
  const { changes } = sides
  for (const name of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, name), getRecordValue(now, name)]
    const headerLocation = `${location}.headers.${name}`
    if (was === undefined) changes.add('compatible', headerLocation, 'header-added', 'it is new')
    else if (is === undefined)
      changes.add('breaking', headerLocation, 'header-removed', 'clients do not receive it any more')
    else {
      compareRequired(was.required, is.required, headerLocation, makeOutputComparison(sides))
      compareSchemas(was.schema, is.schema, headerLocation, makeOutputComparison(sides))
    }
  }
}

const CSV_FORMS = { true: 'made for spreadsheets', false: 'plain' } as const

// Readers ignore events that they do not know, and wait for those that do not come any more.
function compareEvents(
  old: BodyContract['events'] = {},
  now: BodyContract['events'] = {},
  location: string,
  sides: ComparedContracts,
): void {
  for (const name of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, name), getRecordValue(now, name)]
    const eventLocation = `${location}.events.${name}`
    if (was === undefined) sides.changes.add('compatible', eventLocation, 'event-added', 'it is new')
    else if (is === undefined)
      sides.changes.add('breaking', eventLocation, 'event-removed', 'clients do not receive it any more')
    else {
      compareSchemas(was.schema, is.schema, eventLocation, makeOutputComparison(sides))
      compareExtraConstraints(was.extraConstraints, is.extraConstraints, eventLocation, makeOutputComparison(sides))
    }
  }
}

function compareBodies(
  was: readonly BodyContract[],
  is: readonly BodyContract[],
  location: string,
  sides: ComparedContracts,
): void {
  const { changes } = sides
  const several = was.length > 1 || is.length > 1
  for (const body of was) {
    const same = is.find((one) => isSameData(one, body)) ?? is.find(({ type }) => type === body.type)
    const bodyLocation = several ? `${location}.body(${body.type})` : `${location}.body`
    if (same === undefined)
      changes.add('breaking', location, 'media-type-removed', `${body.type} is not a response any more`)
    else {
      if (body.spreadsheet !== same.spreadsheet)
        changes.add(
          'breaking',
          bodyLocation,
          'format-changed',
          `its CSV is ${CSV_FORMS[`${same.spreadsheet ?? false}`]} now`,
        )
      compareEvents(body.events, same.events, bodyLocation, sides)
      compareSchemas(body.schema, same.schema, bodyLocation, makeOutputComparison(sides))
      compareExtraConstraints(body.extraConstraints, same.extraConstraints, bodyLocation, makeOutputComparison(sides))
    }
  }
  for (const { type } of is)
    if (!was.some((body) => body.type === type))
      changes.add('compatible', location, 'media-type-added', `${type} is a new response`)
  const [first, now] = [was[0]?.type, is[0]?.type]
  if (first !== undefined && first !== now && is.some(({ type }) => type === first))
    changes.add(
      'breaking',
      location,
      'default-media-type-changed',
      `requests without a media type get ${now} now, not ${first}`,
    )
}
