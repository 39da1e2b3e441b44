// The law of statements: a list of more elements does not need more database statements for each of them.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { type CheckedResource, getInheritedParams } from '../check/checked-resource.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { type CheckedList, findCheckedList } from '../lists/checked-list.ts'
import { withPart } from '../lists/draw-list-params.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'
import { chooseFirstPart, readPageElements } from './read-list.ts'

interface StatementsCase {
  readonly resource: CheckedResource | undefined
  readonly listed: CheckedList
  readonly call: TestCall
  /** The calls that make the list longer. */
  readonly creations: readonly TestCall[]
}

/** The numbers of elements at which statements are counted. */
const SIZES = [2, 4, 8] as const

/** Lists do not send statements for each element. */
export const statementsLaw: Law = defineLaw<StatementsCase>({
  name: 'statements',
  description: 'A list does not send more database statements for each element that it has.',
  needs: 'a list, and something that counts database statements',
  remedy:
    'pass the resources to `mapper`, or set `statements` to a function that returns the number of statements so far',
  drawCase: drawStatementsCase,
  async run(one, session, subject) {
    const counts: number[] = []
    for (const size of SIZES) counts.push(await countStatements(one, size, session, subject))
    const [few, some, many] = counts as [number, number, number]
    // Relations that only later elements have need statements of their own, but not one for each element.
    const isGrowing = some - few >= SIZES[1] - SIZES[0] && many - some >= SIZES[2] - SIZES[1]
    assertLaw(!isGrowing, 'statements', () => {
      return `the list sends more statements for more elements: ${SIZES.map((size, i) => `${counts[i]} for ${size}`).join(', ')}`
    })
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
  },
})

function drawStatementsCase(subject: Subject, action: ResolvedAction, draw: Draw): StatementsCase | undefined {
  const listed = subject.statements.isActive ? findCheckedList(subject, action) : undefined
  const call = listed && drawCall(subject, action, draw, { bare: true })
  if (listed === undefined || call === undefined) return undefined
  const resource = subject.getResource(action)
  const create = resource?.list?.action === action ? resource.create : undefined
  const common = resource && { principal: call.principal, params: getInheritedParams(resource, call) }
  // Elements with everything that they can have need more statements than bare ones.
  const creations = Array.from({ length: create === undefined ? 0 : 2 * SIZES[2] }, (_, i) =>
    drawCall(subject, create as ResolvedAction, draw, { ...common, bare: i % 4 === 3 }),
  )
  return { resource, listed, call, creations: creations.filter((one) => one !== undefined) }
}

/** Returns the number of statements for a number of elements; creates those that the list lacks. */
async function countStatements(
  { listed, call, creations }: StatementsCase,
  size: number,
  session: TestSession,
  subject: Subject,
): Promise<number> {
  const { pages } = listed
  const list =
    pages === undefined ? call : { ...call, params: withPart(call.params, pages, chooseFirstPart(pages, size)) }
  const left = [...creations]
  for (;;) {
    const before = subject.statements.read()
    const found = readPageElements(listed, await session.sendValid(list)).length
    const count = subject.statements.read() - before
    if (found > size) throw new SkipCase('a list without pages already has more elements')
    if (found === size) return count
    const missing = left.splice(0, size - found)
    if (missing.length === 0) throw new SkipCase('the list has too few elements')
    for (const create of missing) await session.sendValid(create)
  }
}
