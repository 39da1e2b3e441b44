// Random shapes: every kind of attribute with random options.
import fc from 'fast-check'
import type { Fields, Media, Shape } from './shape.ts'

/** Names of attributes; some that objects have by themselves, some that have to be escaped. */
const NAMES = [
  'id',
  'name',
  'a b',
  'x-y',
  'ü',
  'default',
  'items',
  'constructor',
  'toString',
  'x/y',
  'a.b',
  'q~',
  'length',
]

const shared = fc.record({ required: fc.boolean(), nullable: fc.boolean() }, { requiredKeys: [] })

const withInitial = fc.oneof(
  shared,
  fc.record({ nullable: fc.boolean(), initial: fc.nat(1_000_000) }, { requiredKeys: ['initial'] }),
)

const bounds = (least: number, most: number): fc.Arbitrary<{ min?: number; max?: number }> =>
  fc
    .record({ min: fc.integer({ min: least, max: most }), span: fc.nat(most - least) }, { requiredKeys: [] })
    .map(({ min, span }) => ({
      ...(min !== undefined && { min }),
      ...(span !== undefined && { max: (min ?? least) + span }),
    }))

const text = fc.oneof(
  // A path cannot carry a text of no characters.
  bounds(0, 12).map(({ min, max }) => ({
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max: Math.max(1, max) }),
  })),
  fc.nat(3).map((pattern) => ({ pattern })),
  fc.constantFrom('uuid' as const, 'uri' as const, 'email' as const).map((format) => ({ format })),
  fc.uniqueArray(fc.constantFrom('red', 'green', 'B2', 'x-y', '0'), { minLength: 1 }).map((values) => ({ values })),
)

const numbers = fc.oneof(
  bounds(-50, 50),
  fc.uniqueArray(fc.constantFrom(0, 1, 2, -7, 400), { minLength: 1 }).map((values) => ({ values })),
  fc.constantFrom<{ min?: number; max?: number }>(
    { max: Number.MAX_SAFE_INTEGER - 2000 },
    { min: Number.MIN_SAFE_INTEGER + 2000 },
    { min: 0 },
    { max: -1 },
  ),
)

/** Single values, as paths and headers carry them. */
export const scalars: fc.Arbitrary<Shape> = fc
  .tuple(
    withInitial,
    fc.oneof(
      { weight: 4, arbitrary: text.map((own) => ({ kind: 'string', ...own })) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom('integer', 'number', 'bigint'), numbers)
          .map(([kind, own]) => ({ kind, ...own })),
      },
      { weight: 4, arbitrary: fc.constantFrom('boolean', 'date', 'time', 'dateTime').map((kind) => ({ kind })) },
    ),
  )
  .map(([options, own]) => ({ ...own, ...options }) as Shape)

const sizes = fc.record({ min: fc.nat(2), span: fc.nat(3) }, { requiredKeys: [] }).map(({ min, span }) => ({
  ...(min !== undefined && { min }),
  // A list of none could not be sent in a query.
  ...(span !== undefined && { max: (min ?? 0) + span + 1 }),
}))

const dictionary = (of: fc.Arbitrary<Shape>, names = NAMES): fc.Arbitrary<Fields> =>
  fc.dictionary(fc.constantFrom(...names), of, { minKeys: 1, maxKeys: 3 }) as fc.Arbitrary<Fields>

const loose = (shape: Shape): Shape => {
  const { initial: _, ...rest } = shape
  return rest as Shape
}

/** The same without its text of JSON: elements and whole payloads must not be one. */
export const unwrapped = (shape: Shape): Shape => {
  if (shape.kind === 'json') return unwrapped(shape.of)
  return shape.kind === 'ref' ? { ...shape, of: unwrapped(shape.of) } : shape
}

const delimiters = fc.constantFrom(undefined, undefined, ',', ' ', '|')
const SINGLE: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'number',
  'bigint',
  'boolean',
  'date',
  'time',
  'dateTime',
])

// Two variants that divide the texts of one name differently are refused at boot.
function besides(one: Fields, other: Fields): Fields {
  const divided = ([name, shape]: [string, Shape]): boolean =>
    Object.hasOwn(one, name) && /"delimiter"/.test(JSON.stringify([one[name], shape]))
  const rest = Object.fromEntries(Object.entries(other).filter((entry) => !divided(entry)))
  return Object.keys(rest).length > 0 ? rest : { alone: { kind: 'boolean' } }
}

/** Shapes of every kind that nests; those in `leaves` are single values, and media types are chosen from `media`. */
function nested(leaves: fc.Arbitrary<Shape>, media: readonly Media[]): fc.Arbitrary<Shape> {
  return fc.letrec<{ shape: Shape; fields: Fields }>((tie) => ({
    fields: dictionary(tie('shape')),
    shape: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      { weight: 5, arbitrary: leaves },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('collection', 'hash'), tie('shape'), shared, sizes, delimiters)
          .map(([kind, given, options, own, delimiter]) => {
            const of = unwrapped(given)
            const single = kind === 'collection' && SINGLE.has(of.kind)
            return { kind, of: loose(of), ...options, ...own, ...(single && { delimiter }) } as Shape
          }),
      },
      fc.tuple(tie('fields'), shared).map(([fields, options]) => ({ kind: 'struct', fields, ...options }) as Shape),
      fc
        .tuple(tie('fields'), tie('fields'), shared)
        .map(
          ([one, other, options]) =>
            ({ kind: 'union', tag: 'is', variants: { one, 'the other': besides(one, other) }, ...options }) as Shape,
        ),
      fc
        .tuple(tie('shape'), fc.boolean(), fc.boolean(), fc.boolean())
        .map(([of, lazy, required, nullable]) => ({ kind: 'ref', lazy, of: loose(of), required, nullable }) as Shape),
      shared.map((options) => ({ kind: 'tree', ...options }) as Shape),
      jsons(tie('shape')),
      ...(media.length === 0 ? [] : [mediaShapes(media)]),
    ),
  })).shape
}

/** Texts of JSON of some shapes. */
export const jsons = (of: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> =>
  fc
    .tuple(of, fc.boolean(), fc.boolean())
    .map(([one, required, nullable]) => ({ kind: 'json', of: loose(unwrapped(one)), required, nullable }) as Shape)

const mediaShapes = (media: readonly Media[]): fc.Arbitrary<Shape> =>
  fc
    .tuple(fc.constantFrom(...media), fc.constantFrom(undefined, 'some', 'default'), fc.boolean(), fc.boolean())
    .map(([one, view, required, nullable]) => ({
      kind: 'media',
      media: one,
      view: view === 'default' && one.views['default'] === undefined ? undefined : view,
      required,
      nullable,
    }))

const anything = shared.map((options) => ({ kind: 'any', ...options }) as Shape)
const checked = fc
  .tuple(fc.constantFrom('checked', 'checkedLater'), shared)
  .map(([kind, options]) => ({ kind, ...options }) as Shape)

/** Shapes that a query or a body can bring. */
export const inputs = (media: readonly Media[]): fc.Arbitrary<Shape> =>
  nested(fc.oneof({ weight: 8, arbitrary: scalars }, anything, checked), media)

/** Shapes that an answer can have. */
export const outputs = (media: readonly Media[]): fc.Arbitrary<Shape> =>
  nested(fc.oneof({ weight: 8, arbitrary: scalars.map(loose) }, anything), media)

/** Attributes of an input. */
export const inputFields = (media: readonly Media[], names = NAMES): fc.Arbitrary<Fields> =>
  dictionary(inputs(media), names)

const medium = (name: string, known: readonly Media[]): fc.Arbitrary<Media> =>
  dictionary(outputs(known)).chain((fields) =>
    fc.tuple(fc.subarray(Object.keys(fields), { minLength: 1 }), fc.boolean()).map(([shown, named]) => ({
      name,
      fields: { id: { kind: 'integer', required: true }, ...fields } as Fields,
      views: { some: shown, ...(named && { default: ['id', ...shown.filter((one) => one !== 'id')] }) },
    })),
  )

/** A few media types, the later ones with attributes of the earlier ones' types. */
export const mediaTypes: fc.Arbitrary<readonly Media[]> = medium('Alpha', []).chain((first) =>
  medium('Beta', [first]).map((second) => [first, second]),
)
