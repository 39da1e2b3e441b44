// Requests without a body: refused exactly where the documents say that a body is required.
import { type Attribute, application, endpoint, mediaType, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, askFetch } from '../support/ask.ts'

const Book = mediaType('Book', { attributes: { id: t.integer(), title: t.string({ required: true }) } })
const Note = mediaType('Note', { attributes: { text: t.string() } })

const serving = (payload: unknown) =>
  application({
    controllers: [
      endpoint('Things', {
        actions: { make: { routing: route.post('/'), payload: payload as never, responses: { ok: true } } },
      }).implement({
        make: (_: unknown, { request }: any) => JSON.stringify(request.payload ?? null),
      } as never) as never,
    ],
  })

const options = fc.record(
  { required: fc.constant(true), nullable: fc.constant(true), default: fc.boolean() },
  { requiredKeys: [] },
)
type Chosen = { readonly required?: true; readonly nullable?: true; readonly default?: boolean }

/** Options with a default that fits the attribute, where there is to be one. */
const given = ({ default: wanted, required, ...rest }: Chosen, value: unknown): object => {
  if (wanted === true) return { ...rest, default: value }
  return required === undefined ? rest : { ...rest, required }
}

const leaf: fc.Arbitrary<Attribute> = fc.oneof(
  options.map((one) => t.string(given(one, 'a'))),
  options.map((one) => t.integer(given(one, 1))),
  options.map((one) => t.array(t.string(), given(one, ['a']) as object)),
) as never
const children = fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf, { maxKeys: 3 })
const struct: fc.Arbitrary<Attribute> = fc
  .tuple(children, options)
  .map(([of, one]) => t.object(of, given(one, { a: 'a', b: 'b', c: 'c' }) as object)) as never
const payload: fc.Arbitrary<unknown> = fc.oneof(
  children,
  leaf,
  struct.filter(({ options: one }) => one.default === undefined),
  fc.dictionary(
    fc.constantFrom('x', 'y'),
    struct.filter(({ options: one }) => one.default === undefined),
  ),
  options.map(({ default: _, ...one }) => t.ref(Book, one)),
  options.map(({ default: _, ...one }) => t.ref(Note, one)),
)

describe('a request without a body', () => {
  it.each([
    ['a structure', t.object({ name: t.string() }, { required: true })],
    ['a structure with required attributes', t.object({ name: t.string({ required: true }) }, { required: true })],
    ['a media type', t.ref(Note, { required: true })],
    ['a text', t.string({ required: true })],
    ['a collection', t.array(t.string(), { required: true })],
  ])('[ATT-03] was accepted where %s is required as a payload', async (_, attribute) => {
    const app = serving(attribute)
    for (const asked of [
      {},
      { headers: { 'content-type': 'application/json' } },
      { headers: { 'content-length': '0' } },
    ]) {
      const { status, json } = await ask(app, 'POST /things', asked)
      expect([status, json.errors]).toEqual([
        400,
        [{ in: 'payload', pointer: '', code: 'missing', message: expect.stringContaining('required') }],
      ])
    }
    const { requestBody } = (app.openapi().paths as any)['/things'].post
    expect(requestBody.required).toBe(true)
  })

  it('[ATT-02] is a structure without attributes where none is required, and each missing one is told', async () => {
    expect((await ask(serving({ name: t.string() }), 'POST /things')).json).toEqual({})
    expect((await ask(serving(t.object({ name: t.string({ default: 'x' }) })), 'POST /things')).json).toEqual({
      name: 'x',
    })
    const needed = {
      a: t.string({ required: true }),
      b: t.object({ c: t.string() }, { required: true }),
      d: t.string(),
    }
    const { json } = await ask(serving(needed), 'POST /things')
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/a', '/b'])
  })

  it('[ATT-03] is refused exactly where the document requires a body', async () => {
    const seen = { refused: 0, accepted: 0 }
    await fc.assert(
      fc.asyncProperty(payload, async (declared) => {
        const app = serving(declared)
        const { required } = (app.openapi().paths as any)['/things'].post.requestBody
        const { status } = await askFetch(app, 'POST /things')
        expect([status, required]).toEqual(required ? [400, true] : [200, false])
        seen[required ? 'refused' : 'accepted'] += 1
      }),
      { numRuns: 200 },
    )
    expect(Math.min(seen.refused, seen.accepted)).toBeGreaterThan(30)
  }, 60_000)
})
