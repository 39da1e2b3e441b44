// Generated scopes: of each resource by a column, through one relation or several, and by the elements of a list. A caller sees
// what a reference in plain JavaScript says, and no write, of one element or of many, leads out of it.
import { mediaType, t } from 'edict'
import { type AnyResource, many, memoryDatastore, one, type Resource, resource } from 'edict/mapper'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../support/runs.ts'

const id = t.integer({ required: true })
const Top = mediaType('Top', {
  attributes: {
    id,
    flag: t.integer(),
    get mids() {
      return t.array(Mid)
    },
  },
})
const Mid = mediaType('Mid', {
  attributes: {
    id,
    flag: t.integer(),
    top: t.ref(Top, { nullable: true }),
    get leaves() {
      return t.array(Leaf)
    },
  },
})
const Leaf = mediaType('Leaf', {
  attributes: { id, flag: t.integer(), mid: t.ref(Mid, { nullable: true }), mid_id: t.integer({ nullable: true }) },
})

interface Row {
  readonly id: number
  readonly flag: number
  readonly up: number | null
}
interface Rows {
  readonly tops: readonly Row[]
  readonly mids: readonly Row[]
  readonly leaves: readonly Row[]
}

/** What a scope asks: a field and the value that it must have. */
interface Scopes {
  readonly tops: 'none' | 'flag' | 'mids.flag' | 'mids.leaves.flag' | 'mids.any'
  readonly mids: 'none' | 'flag' | 'top.flag' | 'top.id' | 'leaves.flag' | 'leaves.any'
  readonly leaves: 'none' | 'flag' | 'mid.flag' | 'mid.id' | 'mid.top.flag'
}

const flag = fc.integer({ min: 0, max: 1 })
const up = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 6 })
const table = fc
  .array(fc.record({ flag, up }), { minLength: 3, maxLength: 4 })
  .map((rows) => rows.map((row, i): Row => ({ id: i + 1, ...row })))
const rows: fc.Arbitrary<Rows> = fc.record({ tops: table, mids: table, leaves: table })
const scopes: fc.Arbitrary<Scopes> = fc
  .record({
    tops: fc.constantFrom<Scopes['tops']>('none', 'flag', 'mids.flag', 'mids.leaves.flag', 'mids.any'),
    mids: fc.constantFrom<Scopes['mids']>('none', 'flag', 'top.flag', 'top.id', 'leaves.flag', 'leaves.any'),
    leaves: fc.constantFrom<Scopes['leaves']>('none', 'flag', 'mid.flag', 'mid.id', 'mid.top.flag'),
  })
  .filter(endsSomewhere)

/** Whether no scope needs itself to be known. */
function endsSomewhere(of: Scopes): boolean {
  const next = { tops: needs(of.tops), mids: needs(of.mids), leaves: needs(of.leaves) }
  return (['tops', 'mids', 'leaves'] as const).every((start) => {
    const reached = new Set(next[start])
    for (const one of reached) for (const other of next[one]) reached.add(other)
    return !reached.has(start)
  })
}

/** The resources that the path of a scope leads to. */
const needs = (path: string): (keyof Scopes)[] =>
  path.split('.').flatMap((step): (keyof Scopes)[] => {
    if (step.startsWith('top')) return ['tops']
    if (step.startsWith('mid')) return ['mids']
    return step === 'leaves' ? ['leaves'] : []
  })

const conditionOf = (field: string): Record<string, unknown> => {
  if (field === 'none') return {}
  if (field.endsWith('.any')) return { [field.slice(0, -4)]: { any: { flag: 1 } } }
  return { [field]: field.endsWith('.id') ? { '>=': 2 } : 1 }
}

/** The rows that a caller may see: a relation, to one or to many, leads only to what can be seen itself. */
function seenIn(rows: Rows, of: Scopes): Rows {
  const seen = (name: keyof Scopes): readonly Row[] =>
    rows[name].filter((row) => of[name] === 'none' || isMet(row, of[name].split('.')))
  const isMet = (row: Row, [step, ...rest]: readonly string[]): boolean => {
    if (step === 'id') return row.id >= 2
    if (step === 'flag' || step === 'any') return row.flag === 1
    const [target] = needs(step as string) as [keyof Scopes]
    const isUp = step === 'top' || step === 'mid'
    return seen(target).some((other) => (isUp ? other.id === row.up : other.up === row.id) && isMet(other, rest))
  }
  return { tops: seen('tops'), mids: seen('mids'), leaves: seen('leaves') }
}

function open(content: Rows, of: Scopes) {
  const kept = (name: string, list: readonly Row[]) => ({
    columns: {
      id: { kind: 'integer' as const, generated: true },
      flag: { kind: 'integer' as const },
      [name]: { kind: 'integer' as const, nullable: true },
    },
    key: ['id'],
    rows: list.map((row) => ({ id: row.id, flag: row.flag, [name]: row.up })),
  })
  const datastore = memoryDatastore({
    tops: kept('none_id', content.tops),
    mids: kept('top_id', content.mids),
    leaves: kept('mid_id', content.leaves),
  })
  const all: Record<string, AnyResource> = {}
  const found = (name: string) => () => all[name] as AnyResource
  const scope = (name: keyof Scopes) => ({ scope: (_: object) => conditionOf(of[name]) })
  const tops = resource(datastore, Top, {
    table: 'tops',
    ...scope('tops'),
    attributes: { mids: many(found('mids'), { id: 'top_id' }) },
  })
  const mids = resource(datastore, Mid, {
    table: 'mids',
    ...scope('mids'),
    attributes: { top: one(found('tops'), { top_id: 'id' }), leaves: many(found('leaves'), { id: 'mid_id' }) },
  })
  const leaves = resource(datastore, Leaf, {
    table: 'leaves',
    ...scope('leaves'),
    attributes: { mid: one(found('mids'), { mid_id: 'id' }) },
  })
  Object.assign(all, { tops, mids, leaves })
  return { tops: tops.within({}), mids: mids.within({}), leaves: leaves.within({}), datastore }
}

const idsOf = async (listed: Pick<Resource, 'list'>): Promise<number[]> =>
  (await listed.list({ fields: ['id'] })).map((one) => (one as { id: number }).id)

test('a scope that leads through relations leads only to what their resources show', async () => {
  await fc.assert(
    fc.asyncProperty(rows, scopes, async (content, of) => {
      const stores = open(content, of)
      const seen = seenIn(content, of)
      for (const name of ['tops', 'mids', 'leaves'] as const)
        expect(await idsOf(stores[name] as never), name).toEqual(seen[name].map((row) => row.id))
    }),
    { numRuns: runs(200, 10_000) },
  )
})

const added = fc.array(fc.record({ flag, mid_id: up }), { minLength: 1, maxLength: 5 })
const write = fc.constantFrom(
  'createMany',
  'createMany shown',
  'create',
  'create shown',
  'update',
  'update shown',
  'upsert',
  'upsert shown',
)

/** Whether a caller would see a leaf, and sees what it is linked to before the write. */
function isAllowed(content: Rows, of: Scopes, leaf: Row): boolean {
  const isSeen = seenIn({ ...content, leaves: [leaf] }, of).leaves.length === 1
  return isSeen && (leaf.up === null || seenIn(content, of).mids.some((mid) => mid.id === leaf.up))
}

test('a write of any number of elements is refused whole if one of them would cross a scope', async () => {
  await fc.assert(
    fc.asyncProperty(rows, scopes, added, write, async (content, of, list, way) => {
      const { leaves, datastore } = open(content, of)
      const [kind, shown] = way.split(' ')
      const settings = shown === undefined ? [] : [{ shown: Leaf }]
      const before = await allLeaves(datastore)
      const seen = seenIn(content, of).leaves.map((row) => row.id)
      const [first] = list as [(typeof list)[number]]
      const target = kind === 'update' || kind === 'upsert' ? (seen[0] ?? 1) : undefined
      const batch = kind === 'createMany' ? list : [first]
      const crossing = batch.some(
        (leaf, i) => !isAllowed(content, of, { id: target ?? 100 + i, flag: leaf.flag, up: leaf.mid_id }),
      )
      const work = (): Promise<unknown> => {
        const free = leaves as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
        if (kind === 'update') return free['update']!(target, first, ...settings)
        if (kind === 'upsert') return free['upsert']!({ id: target, ...first }, ...settings)
        return free[kind as string]!(kind === 'createMany' ? list : first, ...settings)
      }
      const outcome = await work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      const after = await allLeaves(datastore)
      if (crossing) {
        expect(
          'error' in outcome || outcome.value === false || outcome.value === undefined,
          JSON.stringify(outcome),
        ).toBe(true)
        expect(after).toEqual(before)
      } else if (target === undefined) {
        expect(outcome).toHaveProperty('value')
        expect(after).toHaveLength(before.length + batch.length)
      }
      // Nothing that is hidden has changed.
      for (const row of before) if (!seen.includes(row[0] as number)) expect(after).toContainEqual(row)
    }),
    { numRuns: runs(400, 20_000) },
  )
})

async function allLeaves(datastore: ReturnType<typeof open>['datastore']): Promise<readonly (readonly unknown[])[]> {
  const from = datastore.table('leaves')
  const columns = [...from.columns.values()].map((column) => ({ source: 0, column }))
  const query = { from, joins: [], columns, filter: undefined, order: [], limit: undefined, offset: 0 }
  return (await datastore.select(query)).rows
}
