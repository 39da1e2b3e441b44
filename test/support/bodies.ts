// Random responses with the bodies that their declarations mean, worked out here once more and apart from the sources.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import fc from 'fast-check'
import type { AnyDefinition } from '../../src/design/definition.ts'

const Thing = mediaType('Thing', {
  identifier: 'application/vnd.thing+json',
  attributes: { id: t.integer({ required: true }), name: t.string({ required: true, max: 9 }) },
  views: { card: ['id'] },
})
const THING = { id: 7, name: 'seven' }

/** One form of a body: the type it travels under, and a value that a controller gives for it. */
interface Form {
  readonly type: string
  readonly given: unknown
  /** Whether it has a structure, which no text can stand for. */
  readonly structured: boolean
}

const json = (type: string, given: unknown): Form => ({ type, given, structured: true })
const plain = (type: string, given: unknown = 'a text'): Form => ({ type, given, structured: false })

const NAMED: readonly (readonly [declared: unknown, forms: readonly Form[]])[] = [
  [Thing, [json('application/vnd.thing+json', THING)]],
  [Thing.view('card'), [json('application/vnd.thing+json', THING)]],
  [collectionOf(Thing), [json('application/vnd.thing+json;type=collection', [THING])]],
  [t.array(t.integer()), [json('application/json', [1, 2])]],
  [t.object({ total: t.integer() }), [json('application/json', { total: 3 })]],
  ['text/plain', [plain('text/plain')]],
  ['application/octet-stream', [plain('application/octet-stream', new Uint8Array([0, 255]))]],
  [
    [Thing, 'text/csv'],
    [json('application/vnd.thing+json', THING), plain('text/csv')],
  ],
]

const MEDIA: readonly (readonly [declared: unknown, forms: readonly Form[]])[] = [
  [undefined, [plain('text/plain')]],
  [Thing, [json('application/vnd.thing+json', THING)]],
  ['text/csv', [plain('text/csv')]],
]

const SUCCESSES = {
  ok: 200,
  created: 201,
  accepted: 202,
  partialContent: 206,
  multiStatus: 207,
  multipleChoices: 300,
  seeOther: 303,
  permanentRedirect: 308,
  late: 299,
}
const BARE = { noContent: 204, resetContent: 205, notModified: 304, gone204: 204 }
const FAILURES = { notFound: 404, conflict: 409, gone: 410, tooManyRequests: 429, badGateway: 502, odd: 499 }
const STATUSES: Readonly<Record<string, number>> = { ...SUCCESSES, ...BARE, ...FAILURES }
const CUSTOM: ReadonlySet<string> = new Set(['late', 'gone204', 'odd'])

/** A response of a random action: its forms, none where it has no body, and whether it is a problem document. */
export interface Expected {
  readonly name: string
  readonly status: number
  readonly forms: readonly Form[]
  readonly problem: boolean
  /** Leaving the body out sends an empty text. */
  readonly optional: boolean
}

/** A random endpoint and what its answers must be, by the names of its actions. */
export interface Drawn {
  readonly definition: AnyDefinition
  readonly actions: Readonly<Record<string, readonly Expected[]>>
}

type Named = (typeof NAMED)[number] | undefined

const responses = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...Object.keys(STATUSES)),
    named: fc.option(fc.constantFrom(...NAMED), { nil: undefined }) as fc.Arbitrary<Named>,
    long: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6, selector: ({ name }) => STATUSES[name] },
)

function declared(name: string, named: Named, long: boolean): unknown {
  const body = Object.hasOwn(BARE, name) ? undefined : named?.[0]
  const status = CUSTOM.has(name) ? { status: STATUSES[name] } : {}
  const more = long ? { description: 'Told.', headers: { 'X-Odd': t.integer() } } : {}
  if (body === undefined) return CUSTOM.has(name) || long ? { ...status, ...more } : true
  return CUSTOM.has(name) || long || Array.isArray(body) ? { ...status, ...more, mediaType: body } : body
}

function expected(name: string, named: Named, media: (typeof MEDIA)[number]): Expected {
  const status = STATUSES[name] as number
  const forms = Object.hasOwn(BARE, name) ? [] : (named?.[1] ?? (name === 'ok' ? media[1] : []))
  const optional = name === 'ok' && named === undefined && media[0] === undefined
  return { name, status, forms, problem: status >= 400 && forms.length === 0, optional }
}

/** Random endpoints with all that their answers can be. */
export const drawn: fc.Arbitrary<Drawn> = fc
  .tuple(fc.constantFrom(...MEDIA), fc.array(responses, { minLength: 1, maxLength: 3 }))
  .map(([media, actions]) => {
    // A name that is not built in means one thing in a whole application.
    const custom = new Map<string, Named>()
    const settled = actions.map((all) =>
      all.map(({ name, named, long }) => {
        if (!CUSTOM.has(name)) return { name, named, long }
        if (!custom.has(name)) custom.set(name, named)
        return { name, named: custom.get(name), long: false }
      }),
    )
    const specs = settled.map((all, i) => {
      const listed = all.map(({ name, named, long }) => [name, declared(name, named, long)])
      return [`act${i}`, { routing: route.get(`/act${i}`), responses: Object.fromEntries(listed) }]
    })
    const definition = endpoint('Some', {
      ...(media[0] !== undefined && { mediaType: media[0] as never }),
      actions: Object.fromEntries(specs),
    }) as unknown as AnyDefinition
    const wanted = settled.map((all, i) => [`act${i}`, all.map(({ name, named }) => expected(name, named, media))])
    return { definition, actions: Object.fromEntries(wanted) }
  })
