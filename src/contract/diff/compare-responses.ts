// Differences in what clients receive. Of this, less may be possible but not more, and nothing that was promised may be gone.
import { isSameData } from '../canonical.ts'
import type { ActionContract, BodyContract, HeaderContract, ResponseContract } from '../contract.ts'
import { getRecordValue, type ChangeCollector, collectNames, type ComparedContracts } from './change.ts'
import { compareRequired, compareSchemas, type SchemaComparison } from './compare-schemas.ts'
import { compareExtraConstraints } from './compare-constraints.ts'

type ResponseContracts = ActionContract['responses']

/** Compares the answers of two forms of an action. */
export function compareResponses(old: ResponseContracts, now: ResponseContracts, place: string, sides: ComparedContracts): void {
  const renamed = findRenamedResponses(old, now)
  const fresh = new Set(renamed.values())
  const succeeded = Object.values(old).some(({ status }) => status < 400)
  for (const name of collectNames(old, now)) {
    const spot = `${place} › responses.${name}`
    const was = getRecordValue(old, name)
    const is = getRecordValue(now, renamed.get(name) ?? name)
    if (was !== undefined && is !== undefined) compareResponse(was, is, spot, sides)
    else if (was !== undefined) reportRemovedResponse(was, spot, sides.changes)
    else if (is !== undefined && !fresh.has(name)) reportAddedResponse(is, succeeded, spot, sides.changes)
  }
}

// Clients know answers by their status; another name for one is no change to them.
function findRenamedResponses(old: ResponseContracts, now: ResponseContracts): ReadonlyMap<string, string> {
  const gone = Object.entries(old).filter(([name]) => getRecordValue(now, name) === undefined)
  const fresh = Object.entries(now).filter(([name]) => getRecordValue(old, name) === undefined)
  const pairs = gone.flatMap(([name, { status }]) => {
    const same = fresh.filter(([, other]) => other.status === status)
    const only = same.length === 1 && gone.filter(([, other]) => other.status === status).length === 1
    return only ? [[name, (same[0] as (typeof same)[number])[0]] as const] : []
  })
  return new Map(pairs)
}

function reportRemovedResponse({ status }: ResponseContract, place: string, changes: ChangeCollector): void {
  if (status < 400) changes.add('breaking', place, 'response-removed', `${status} is not answered any more`)
  else changes.add('compatible', place, 'error-removed', `the failure ${status} is not declared any more`)
}

function reportAddedResponse({ status }: ResponseContract, succeeded: boolean, place: string, changes: ChangeCollector): void {
  if (status >= 400) changes.add('compatible', place, 'error-added', `there is a new failure, ${status}`)
  else if (succeeded)
    changes.add('breaking', place, 'response-added', `${status} may be answered now, which clients do not know`)
  else changes.add('compatible', place, 'response-added', `${status} may be answered now`)
}

function compareResponse(was: ResponseContract, is: ResponseContract, place: string, sides: ComparedContracts): void {
  const { changes } = sides
  if (was.status !== is.status)
    changes.add('breaking', place, 'status-changed', `its status is ${is.status} now, and was ${was.status}`)
  changes.addText(place, 'description-changed', { what: 'its description', old: was.description, now: is.description })
  compareHeaders(was.headers, is.headers, place, sides)
  compareBodies(was.bodies, is.bodies, place, sides)
}

const makeOutputComparison = (sides: ComparedContracts): SchemaComparison => ({ ...sides, direction: 'output', open: new Set() })

type HeaderContracts = Readonly<Record<string, HeaderContract>>

function compareHeaders(old: HeaderContracts, now: HeaderContracts, place: string, sides: ComparedContracts): void {
  const { changes } = sides
  for (const name of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, name), getRecordValue(now, name)]
    const spot = `${place}.headers.${name}`
    if (was === undefined) changes.add('compatible', spot, 'header-added', 'it is new')
    else if (is === undefined) changes.add('breaking', spot, 'header-removed', 'clients do not receive it any more')
    else {
      compareRequired(was.required, is.required, spot, makeOutputComparison(sides))
      compareSchemas(was.schema, is.schema, spot, makeOutputComparison(sides))
    }
  }
}

const CSV_FORMS = { true: 'made for spreadsheets', false: 'plain' } as const

function compareBodies(was: readonly BodyContract[], is: readonly BodyContract[], place: string, sides: ComparedContracts): void {
  const { changes } = sides
  const several = was.length > 1 || is.length > 1
  for (const body of was) {
    const same = is.find((one) => isSameData(one, body)) ?? is.find(({ type }) => type === body.type)
    const spot = several ? `${place}.body(${body.type})` : `${place}.body`
    if (same === undefined)
      changes.add('breaking', place, 'media-type-removed', `${body.type} is not answered any more`)
    else {
      if (body.spreadsheet !== same.spreadsheet)
        changes.add('breaking', spot, 'format-changed', `its CSV is ${CSV_FORMS[`${same.spreadsheet ?? false}`]} now`)
      compareSchemas(body.schema, same.schema, spot, makeOutputComparison(sides))
      compareExtraConstraints(body.unsaid, same.unsaid, spot, makeOutputComparison(sides))
    }
  }
  for (const { type } of is)
    if (!was.some((body) => body.type === type))
      changes.add('compatible', place, 'media-type-added', `${type} may be answered now`)
  const [first, now] = [was[0]?.type, is[0]?.type]
  if (first !== undefined && first !== now && is.some(({ type }) => type === first))
    changes.add(
      'breaking',
      place,
      'default-media-type-changed',
      `who asks for no media type gets ${now} now, not ${first}`,
    )
}
