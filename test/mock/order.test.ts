// The order of what a mock has: lists of a client stay as they were sent, elements come by their key, new ones where they belong.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { askFetch } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const Step = t.object({ text: t.string({ required: true, max: 20 }) })
const Recipe = mediaType('Recipe', {
  attributes: {
    id: t.integer({ required: true, min: 1 }),
    title: t.string({ required: true, max: 20 }),
    tags: t.array(t.string({ max: 10 }), { required: true, max: 8 }),
    numbers: t.array(t.integer(), { required: true, max: 8 }),
    steps: t.array(Step, { required: true, max: 8 }),
  },
})
const payload = {
  title: t.string({ required: true, max: 20 }),
  tags: t.array(t.string({ max: 10 }), { required: true, max: 8 }),
  numbers: t.array(t.integer(), { required: true, max: 8 }),
  steps: t.array(Step, { required: true, max: 8 }),
}
const Recipes = endpoint('Recipes', {
  mediaType: Recipe,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Recipe) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Recipe, notFound: true } },
    create: { routing: route.post('/'), payload, responses: { created: Recipe } },
    replace: {
      routing: route.put('/:id'),
      params: { id: t.integer() },
      payload,
      responses: { ok: Recipe, notFound: true },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})

const made = () => mock([Recipes], { rows: 5 })

const sent = fc.record({
  title: fc.constantFrom('a', 'b'),
  tags: fc.array(fc.constantFrom('c', 'a', 'b', ''), { maxLength: 6 }),
  numbers: fc.array(fc.integer({ min: -3, max: 12 }), { maxLength: 6 }),
  steps: fc.array(fc.record({ text: fc.constantFrom('z', 'y', 'x') }), { maxLength: 6 }),
})

it('lists of a client stay as they were sent, whether created or replaced', async () => {
  const app = made()
  await fc.assert(
    fc.asyncProperty(sent, sent, async (first, second) => {
      const { json: created } = await askFetch(app, 'POST /recipes', { body: first })
      expect(created).toMatchObject(first)
      expect((await askFetch(app, `GET /recipes/${created.id}`)).json).toEqual(created)
      const { json: replaced } = await askFetch(app, `PUT /recipes/${created.id}`, { body: second })
      expect(replaced).toEqual({ id: created.id, ...second })
      expect((await askFetch(app, `GET /recipes/${created.id}`)).json).toEqual(replaced)
    }),
    { numRuns: runs(25, 1000) },
  )
})

it('elements come by their key, new ones last, and the others keep their order', async () => {
  const app = made()
  const ids = async (): Promise<number[]> => (await askFetch(app, 'GET /recipes')).json.map(({ id }: any) => id)
  const before = await ids()
  expect(before).toEqual([...before].sort((a, b) => a - b))
  const body = { title: 'a', tags: [], numbers: [], steps: [] }
  const added: number[] = []
  for (let n = 0; n < 12; n++) added.push((await askFetch(app, 'POST /recipes', { body })).json.id)
  expect(await ids()).toEqual([...before, ...added])
  const [gone] = before as [number]
  await askFetch(app, `DELETE /recipes/${gone}`)
  await askFetch(app, `PUT /recipes/${added[3]}`, { body: { ...body, title: 'z' } })
  expect(await ids()).toEqual([...before.slice(1), ...added])
})

it('two mocks of one seed have the same rows in the same order', async () => {
  const rows = async (app: ReturnType<typeof made>) => (await askFetch(app, 'GET /recipes')).text
  expect(await rows(made())).toBe(await rows(made()))
})
