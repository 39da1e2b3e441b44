// Elements with several links: a write is refused if any of them leads out of the scope of what it links to, not only the first.
import { mediaType, t } from 'edict'
import { many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../support/runs.ts'

const id = t.integer({ required: true })
const Book = mediaType('Book', { attributes: { id } })
const Member = mediaType('Member', { attributes: { id } })
const Desk = mediaType('Desk', { attributes: { id } })
const Loan = mediaType('Loan', {
  attributes: {
    id,
    days: t.integer(),
    book: t.ref(Book, { nullable: true }),
    member: t.ref(Member, { nullable: true }),
    taken: t.object({ desk: t.ref(Desk, { nullable: true }) }),
  },
})

const integer = { kind: 'integer' } as const
const nullable = { kind: 'integer', nullable: true } as const
const tenantScope = ({ tenant }: { readonly tenant: number }) => ({ tenant_id: tenant })

/** Row 1 of every table belongs to tenant 1, row 2 to tenant 2. */
function library() {
  const columns = { id: integer, tenant_id: integer }
  const rows = [1, 2].map((one) => ({ id: one, tenant_id: one }))
  const datastore = memoryDatastore({
    books: { columns, key: ['id'], rows },
    members: { columns, key: ['id'], rows },
    desks: { columns, key: ['id'], rows },
    loans: {
      columns: { ...columns, days: nullable, book_id: nullable, member_id: nullable, desk_id: nullable },
      key: ['id'],
      rows: [{ id: 1, tenant_id: 1, days: 1, book_id: null, member_id: null, desk_id: null }],
    },
  })
  const books = resource(datastore, Book, { table: 'books', scope: tenantScope })
  const members = resource(datastore, Member, { table: 'members', scope: tenantScope })
  const desks = resource(datastore, Desk, { table: 'desks', scope: tenantScope })
  const loans = resource(datastore, Loan, {
    table: 'loans',
    scope: tenantScope,
    attributes: {
      book: one(books, { book_id: 'id' }),
      member: one(members, { member_id: 'id' }),
      taken: { desk: one(desks, { desk_id: 'id' }) },
    },
  })
  return loans.within({ tenant: 1 })
}

/** What a write says of a link: nothing, null, an own element, one of another tenant, or one that does not exist. */
const link = fc.constantFrom(undefined, null, 1, 2, 9)
const refer = (to: number | null | undefined) => (typeof to === 'number' ? { id: to } : to)
const isInScope = (to: number | null | undefined): boolean => to === undefined || to === null || to === 1
const written = fc.record({ book: link, member: link, desk: link })

test('[LST-04] each of several links is looked at, by every kind of write', async () => {
  const outcomes = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(written, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('create', 'create shown', 'createMany', 'update', 'update shown', 'upsert'),
      async (list, way) => {
        const loans = library()
        const elements = list.map(({ book, member, desk }) => ({
          book: refer(book),
          member: refer(member),
          ...(desk !== undefined && { taken: { desk: refer(desk) } }),
        }))
        const [first] = elements as [(typeof elements)[number]]
        const shown = { shown: Loan }
        const run: Record<string, () => Promise<unknown>> = {
          create: () => loans.create({ id: 2, ...first } as never),
          'create shown': () => loans.create({ id: 2, ...first } as never, shown),
          createMany: () => loans.createMany(elements.map((one, i) => ({ id: 2 + i, ...one })) as never),
          update: () => loans.update(1, { days: 2, ...first } as never),
          'update shown': () => loans.update(1, { days: 2, ...first } as never, shown),
          upsert: () => loans.upsert({ id: 1, ...first } as never),
        }
        const looked = way === 'createMany' ? list : list.slice(0, 1)
        const isRight = looked.every((one) => Object.values(one).every(isInScope))
        outcomes.add(isRight)
        const outcome = await (run[way] as () => Promise<unknown>)().then(
          () => 'written',
          (error: { readonly code?: string }) => error.code,
        )
        expect(outcome).toBe(isRight ? 'written' : 'conflict')
        const kept = await loans.list({})
        if (!isRight) expect(kept).toEqual(await library().list({}))
      },
    ),
    { numRuns: runs(300, 10_000) },
  )
  expect(outcomes).toEqual(new Set([true, false]))
})

const Pair = mediaType('Pair', {
  attributes: {
    id,
    book: t.ref(Book, { nullable: true }),
    member: t.ref(Member, { nullable: true }),
    near: t.ref(Desk, { nullable: true }),
    far: t.ref(Desk, { nullable: true }),
  },
})

test('[LST-04] each of several relations shows only what its own resource shows', async () => {
  const columns = { id: integer, tenant_id: integer }
  const rows = [1, 2].map((one) => ({ id: one, tenant_id: one }))
  const all = [1, 2].flatMap((book) => [1, 2].flatMap((member) => [1, 2].map((desk) => ({ book, member, desk }))))
  const datastore = memoryDatastore({
    books: { columns, key: ['id'], rows },
    members: { columns, key: ['id'], rows },
    desks: { columns, key: ['id'], rows },
    pairs: {
      columns: { id: integer, book_id: integer, member_id: integer, desk_id: integer },
      key: ['id'],
      rows: all.map(({ book, member, desk }, i) => ({ id: i, book_id: book, member_id: member, desk_id: desk })),
    },
  })
  const scope = tenantScope
  const desksOf = (tenant: number) =>
    resource(datastore, Desk, { table: 'desks', scope: (_: { readonly tenant: number }) => ({ tenant_id: tenant }) })
  const pairs = resource(datastore, Pair, {
    table: 'pairs',
    attributes: {
      book: one(resource(datastore, Book, { table: 'books', scope }), { book_id: 'id' }),
      member: one(resource(datastore, Member, { table: 'members', scope }), { member_id: 'id' }),
      // Two resources of one table, over the same column.
      near: one(desksOf(1), { desk_id: 'id' }),
      far: one(desksOf(2), { desk_id: 'id' }),
    },
  }).within({ tenant: 1 })
  const shownIf = (isShown: boolean, to: number) => (isShown ? { id: to } : null)
  expect(
    await pairs.list({ order: ['id'], fields: ['id', 'book.id', 'member.id', 'near.id', 'far.id'] } as never),
  ).toEqual(
    all.map(({ book, member, desk }, i) => ({
      id: i,
      book: shownIf(book === 1, book),
      member: shownIf(member === 1, member),
      near: shownIf(desk === 1, desk),
      far: shownIf(desk === 2, desk),
    })),
  )
})

const Place = mediaType('Place', { attributes: { region: t.integer(), number: t.integer() } })
const Stand = mediaType('Stand', {
  attributes: { id, region: t.integer(), number: t.integer({ nullable: true }), place: t.ref(Place) },
})

test('[LST-04] a link of several columns is refused where the database fills in one of them', async () => {
  const columns = { region: integer, number: integer, tenant_id: integer }
  const datastore = memoryDatastore({
    places: {
      columns,
      key: ['region', 'number'],
      rows: [1, 2].map((one) => ({ region: one, number: 5, tenant_id: one })),
    },
    stands: {
      columns: { id: integer, region: { kind: 'integer', default: 2 }, number: nullable, tenant_id: integer },
      key: ['id'],
      rows: [],
    },
  })
  const places = resource(datastore, Place, { table: 'places', key: ['region', 'number'], scope: tenantScope })
  const stands = resource(datastore, Stand, {
    table: 'stands',
    scope: tenantScope,
    attributes: { place: one(places, { region: 'region', number: 'number' }) },
  }).within({ tenant: 1 })
  await expect(stands.create({ id: 1, number: 5 } as never)).rejects.toMatchObject({ code: 'conflict' })
  await expect(stands.createMany([{ id: 1 }, { id: 2, number: 5 }] as never)).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await stands.create({ id: 1, region: 1, number: 5 } as never)).toEqual({ id: 1 })
  expect(await stands.create({ id: 2 } as never)).toEqual({ id: 2 })
})

const Leaf = mediaType('Leaf', { attributes: { id, flag: t.integer(), tree_id: t.integer({ nullable: true }) } })
const Tree = mediaType('Tree', {
  attributes: { id, leaves: t.array(Leaf), crown: t.object({ leaves: t.array(Leaf), best: t.ref(Leaf) }) },
})
const Wood = mediaType('Wood', { attributes: { id, trees: t.array(Tree) } })

/** The relations of trees; those that are not given are left out. */
const ofTree = ({ crown = {}, ...others }: { readonly leaves?: unknown; readonly crown?: object }): object => ({
  ...{ leaves: false, ...others },
  crown: { leaves: false, best: false, ...crown },
})

const forest = () =>
  memoryDatastore({
    leaves: {
      columns: { id: integer, flag: integer, tree_id: nullable, tenant_id: integer },
      key: ['id'],
      rows: [
        { id: 1, flag: 1, tree_id: 3, tenant_id: 1 },
        { id: 2, flag: 0, tree_id: 4, tenant_id: 1 },
      ],
    },
    trees: {
      columns: { id: integer, leaf_id: nullable, wood_id: nullable, tenant_id: nullable },
      key: ['id'],
      rows: [1, 2].map((one) => ({ id: one, leaf_id: null, wood_id: null, tenant_id: one })),
    },
    woods: { columns: { id: integer }, key: ['id'], rows: [{ id: 1 }] },
  })

test('[LST-04] a scope that asks for none, some or all of a list holds for new elements', async () => {
  const datastore = forest()
  const leaves = resource(datastore, Leaf, { table: 'leaves' })
  const treesWhere = (scope: object) =>
    resource(datastore, Tree, {
      table: 'trees',
      scope: () => scope as never,
      attributes: ofTree({ leaves: many(leaves, { id: 'tree_id' }) }),
    } as never).within({}) as unknown as {
      create(values: object): Promise<unknown>
      delete(key: number): Promise<boolean>
    }
  const flagged = { flag: 1 }
  // Leaf 1 with the flag names tree 3, leaf 2 without it tree 4, and none names tree 5.
  for (const [scope, allowed] of [
    [{ leaves: { any: flagged } }, [3]],
    [{ leaves: { none: flagged } }, [4, 5]],
    [{ leaves: { all: flagged } }, [3, 5]],
  ] as const)
    for (const one of [3, 4, 5]) {
      const outcome = await treesWhere(scope)
        .create({ id: one })
        .then(
          () => 'written',
          (error: { code?: string }) => error.code,
        )
      expect(outcome, `${JSON.stringify(scope)} ${one}`).toBe(
        (allowed as readonly number[]).includes(one) ? 'written' : 'out-of-scope',
      )
      if (outcome === 'written') await treesWhere({}).delete(one)
    }
})

test('[LST-04] a link is looked at that only a structure of the other side has declared', async () => {
  const datastore = forest()
  const leaves = resource(datastore, Leaf, { table: 'leaves', scope: tenantScope })
  const trees = resource(datastore, Tree, {
    table: 'trees',
    scope: tenantScope,
    attributes: ofTree({ crown: { leaves: many(leaves, { id: 'tree_id' }) } }),
  } as never)
  mapper({ resources: [leaves, trees] }).checkOptions?.(() => {}, undefined as never)
  const mine = leaves.within({ tenant: 1 })
  await expect(mine.update(1, { tree_id: 2 })).rejects.toMatchObject({ code: 'conflict' })
  expect(await mine.update(1, { tree_id: 1 })).toBe(true)
})

test('[LST-04] a resource is refused without a context if it leads to a scope, over any way', async () => {
  const datastore = forest()
  const leaves = resource(datastore, Leaf, { table: 'leaves', scope: tenantScope })
  const ofTrees = (attributes: object) =>
    resource(datastore, Tree, { table: 'trees', attributes: ofTree(attributes) } as never)
  const ways = {
    'a list': ofTrees({ leaves: many(leaves, { id: 'tree_id' }) }),
    'a list in a structure': ofTrees({ crown: { leaves: many(leaves, { id: 'tree_id' }) } }),
    'one in a structure': ofTrees({ crown: { best: one(leaves, { leaf_id: 'id' }) } }),
  }
  for (const [way, trees] of Object.entries(ways)) {
    const woods = resource(datastore, Wood, { table: 'woods', attributes: { trees: many(trees, { id: 'wood_id' }) } })
    await expect(trees.find(1), way).rejects.toThrow('Leaf has a scope, and the call has no context')
    await expect(woods.find(1), `${way}, over a list`).rejects.toThrow('Leaf has a scope, and the call has no context')
    expect(() => woods.stream({}), way).toThrow('Leaf has a scope, and the call has no context')
  }
})

test('[LST-04] a condition on a related list sees only what its caller sees', async () => {
  const datastore = forest()
  const leaves = resource(datastore, Leaf, { table: 'leaves', scope: tenantScope })
  const trees = resource(datastore, Tree, {
    table: 'trees',
    attributes: ofTree({ leaves: many(leaves, { id: 'tree_id' }) }),
  } as never)
  const woods = resource(datastore, Wood, { table: 'woods', attributes: { trees: many(trees, { id: 'wood_id' }) } })
  const as = (tenant: number) => (woods as any).within({ tenant })
  await (trees as any).within({ tenant: 1 }).create({ id: 3 })
  const table = datastore.table('trees')
  const [key, wood] = ['id', 'wood_id'].map((name) => table.columns.get(name)) as [never, never]
  await datastore.update(table, new Map([[wood, 1]]), {
    op: '=',
    reference: { source: 0, column: key },
    value: 3,
  } as never)
  const related = { trees: { where: { leaves: { any: { flag: 1 } } } } }
  const treesFor = async (tenant: number) => (await as(tenant).list({ fields: ['id', 'trees.id'], related }))[0].trees
  // Leaf 1 has the flag and belongs to tenant 1.
  expect(await treesFor(1)).toEqual([{ id: 3 }])
  expect(await treesFor(2)).toEqual([])
})
