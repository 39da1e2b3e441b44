// One element or many at once: one rule. What is refused alone is refused in any place of a list, and nothing of the list stays.
import { mediaType, t } from 'edict'
import { type Datastore, memoryDatastore, one, resource } from 'edict/mapper'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../support/runs.ts'

const Shelf = mediaType('Shelf', { attributes: { id: t.integer({ required: true }), room: t.string() } })
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
    shelf: t.ref(Shelf, { nullable: true }),
  },
})

const whole = { kind: 'integer', nullable: true } as const

/** Books of tenants on shelves of tenants; a datastore may be without a way to write many rows. */
function library(hasMany: boolean) {
  const memory = memoryDatastore({
    shelves: {
      columns: { id: { kind: 'integer' }, room: { kind: 'text', nullable: true }, tenant_id: whole },
      key: ['id'],
      rows: [
        { id: 1, room: 'north', tenant_id: 1 },
        { id: 2, room: 'south', tenant_id: 2 },
      ],
    },
    books: {
      columns: { id: { kind: 'integer' }, title: { kind: 'text' }, year: whole, shelf_id: whole, tenant_id: whole },
      key: ['id'],
      rows: [{ id: 100, title: 'Emma', year: 1815, shelf_id: 1, tenant_id: 1 }],
    },
  })
  const datastore: Datastore<string> = hasMany ? memory : without(memory)
  const scope = ({ tenant }: { readonly tenant: number }) => ({ tenant_id: tenant })
  const shelves = resource(datastore, Shelf, { table: 'shelves', scope })
  const attributes = { shelf: one(shelves, { shelf_id: 'id' }) }
  return resource(datastore, Book, { table: 'books', scope, attributes }).within({ tenant: 1 })
}

// Without `insertMany`, rows are inserted one by one.
const without = (datastore: Datastore<string>): Datastore<string> =>
  new Proxy(datastore, {
    get: (of, name) => {
      const value = name === 'insertMany' ? undefined : Reflect.get(of, name)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })

const RIGHT = { title: 'a' }
const ELEMENTS: readonly (readonly [what: string, values: object, isRight: boolean])[] = [
  ['all that is needed', RIGHT, true],
  ['an own shelf', { ...RIGHT, shelf: { id: 1 } }, true],
  ['no shelf', { ...RIGHT, shelf: null, year: null }, true],
  ['the shelf of another tenant', { ...RIGHT, shelf: { id: 2 } }, false],
  ['a shelf that is not there', { ...RIGHT, shelf: { id: 9 } }, false],
  ['an unknown attribute', { ...RIGHT, label: 'x' }, false],
  ['null where there must be a text', { title: null }, false],
  ['a key that is taken', { ...RIGHT, id: 100 }, false],
]

/** The code of a refusal, and the places in it. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return 'written'
  } catch (error) {
    const { code, problem } = error as { code?: string; problem?: { code: string; errors?: { pointer: string }[] } }
    return [problem?.code ?? code, problem?.errors?.map(({ pointer }) => pointer)]
  }
}

test.each([true, false])(
  '[LST-08] createMany writes what create writes, and refuses what it refuses (%j)',
  async (hasMany) => {
    const seen = new Set<unknown>()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ELEMENTS), { minLength: 1, maxLength: 4 }), async (chosen) => {
        const list = chosen.map(([, values], i) => ({ id: i + 1, ...values }))
        const books = library(hasMany)
        const alone = await Promise.all(list.map((values) => outcome(library(hasMany).create(values as never))))
        for (const [i, [what, , isRight]] of chosen.entries()) expect(alone[i] === 'written', what).toBe(isRight)
        // Two that take one key are refused together only.
        const isTwice = new Set(list.map(({ id }) => id)).size < list.length
        const together = await outcome(books.createMany(list as never))
        const isRight = chosen.every(([, , right]) => right) && !isTwice
        expect(together === 'written').toBe(isRight)
        seen.add(together === 'written')
        if (chosen.length === 1 && together !== 'written') {
          const [code, places] = alone[0] as [string, string[] | undefined]
          expect(together).toEqual([code, places?.map((place) => (place === '' ? place : `/0${place}`))])
        }
        const kept = await books.list({ limit: Infinity })
        if (hasMany || isRight) expect(kept).toHaveLength(1 + (isRight ? list.length : 0))
      }),
      { numRuns: runs(60, 400) },
    )
    expect(seen).toEqual(new Set([true, false]))
  },
)
