// Random applications as data: endpoints with prefixes, parents and versions, their actions, inputs and answers.
import fc from 'fast-check'
import { canonicalPath, namesIn, type Path, paths, wildcardsIn } from './paths.ts'
import { type Fields, formOf, hasFiles, type Media, type Shape } from './shape.ts'
import { inputFields, inputs, jsons, mediaTypes, outputs, scalars, unwrapped } from './shapes.ts'

export interface RouteSpec {
  readonly verb: string
  /** Below the prefix, or beside it when `bare`. */
  readonly path: Path
  readonly bare: boolean
}

/** The declaration of a body: attributes by name, one attribute, or a file. */
export type PayloadSpec = (
  | { readonly form: 'fields'; readonly fields: Fields }
  | { readonly form: 'whole'; readonly shape: Shape }
) & {
  /** Forms are declared beside JSON, where they can carry the payload. */
  readonly forms?: boolean
}

/** The content types that a payload is declared with; undefined for its own. */
export const consumesOf = (payload: PayloadSpec): readonly string[] | undefined =>
  takesForms(payload) ? [...JSON_TYPES, 'application/x-www-form-urlencoded', 'multipart/form-data'] : undefined

const JSON_TYPES = ['application/json', 'application/*+json']

/** Tells whether forms are accepted beside JSON. */
export function takesForms(payload: PayloadSpec): boolean {
  if (payload.forms !== true) return false
  return payload.form === 'fields' ? !hasFiles(payload.fields) : formOf(payload.shape) === 'structure'
}

export type BodySpec =
  | { readonly is: 'media' | 'list'; readonly media: Media; readonly view: string | undefined }
  | { readonly is: 'value'; readonly shape: Shape }
  | { readonly is: 'text' | 'bytes' | 'json' | 'none' | 'failure' }
  | { readonly is: 'several'; readonly media: Media }

export interface ResponseSpec {
  readonly name: string
  readonly status: number
  readonly body: BodySpec
  readonly header: boolean
}

export interface ActionSpec {
  readonly name: string
  readonly routes: readonly RouteSpec[]
  /** The captures of the paths. */
  readonly captures: Fields
  readonly splat: boolean
  readonly params: Fields
  readonly headers: Fields
  readonly payload: PayloadSpec | undefined
  readonly responses: readonly ResponseSpec[]
  readonly ignores: boolean
  /** The controller answers at once or later. */
  readonly later: boolean
}

export interface EndpointSpec {
  readonly name: string
  readonly number: number
  readonly prefix: string | undefined
  readonly version: string | undefined
  /** The number of the endpoint that it is below. */
  readonly parent: number | undefined
  readonly renames: boolean
  readonly actions: readonly ActionSpec[]
}

export interface ApiSpec {
  readonly basePath: string
  readonly status: 400 | 422
  readonly carriers: readonly ('path' | 'header' | 'query')[]
  readonly endpoints: readonly EndpointSpec[]
}

const VERBS = ['get', 'get', 'get', 'post', 'post', 'put', 'patch', 'delete', 'any', 'head', 'options']
const PARAMS = ['limit', 'since', 'a b', 'ü', 'tags', 'where', 'x-y', 'constructor', 'valueOf', 'x/y', 'default']
const HEADERS = ['X-One', 'X-Two', 'Authorization', 'Accept-Language', 'x-lower']

// Captures are there or not, whatever their declaration says, and those with text around them are simple.
const captured = (shape: Shape): Shape => {
  const { required: _, nullable: __, initial: ___, ...rest } = shape
  return rest as Shape
}

const plainCapture: fc.Arbitrary<Shape> = fc.constantFrom<Shape>(
  { kind: 'integer', min: 0, max: 5000 },
  { kind: 'string', values: ['red', 'B2', '0'] },
  { kind: 'string', pattern: 1 },
)

function capturesOf(routes: readonly RouteSpec[]): fc.Arbitrary<Fields> {
  const names = [...new Set(routes.flatMap(({ path }) => namesIn(path)))]
  return fc.record(
    Object.fromEntries(
      names.map((name) => {
        if (name.startsWith('rest')) return [name, fc.constant<Shape>({ kind: 'string' })]
        const plain = routes.some(({ path }) => isPlain(path, name))
        return [name, plain ? plainCapture : scalars.map(captured)]
      }),
    ),
  ) as fc.Arbitrary<Fields>
}

const isPlain = (path: Path, name: string): boolean =>
  path.some((piece) =>
    piece.is === 'optional'
      ? isPlain(piece.pieces, name)
      : piece.is === 'capture' && piece.name === name && piece.plain,
  )

const body = (media: readonly Media[]): fc.Arbitrary<BodySpec> =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom('media' as const, 'list' as const),
        fc.constantFrom(...media),
        fc.constantFrom(undefined, 'some'),
      )
      .map(([is, of, view]) => ({ is, media: of, view })),
    outputs(media).map((shape) => ({ is: 'value' as const, shape })),
    fc.constantFrom<BodySpec>({ is: 'text' }, { is: 'bytes' }, { is: 'json' }, { is: 'none' }),
    fc.constantFrom(...media).map((of) => ({ is: 'several' as const, media: of })),
  )

// A name that is not built in means one thing in a whole application.
const responses = (media: readonly Media[], own: string): fc.Arbitrary<readonly ResponseSpec[]> =>
  fc
    .tuple(
      fc.constantFrom(['ok', 200], ['created', 201], ['accepted', 202], [own, 299]),
      body(media),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([[name, status], shown, header, fails]) => [
      { name, status, body: shown, header } as ResponseSpec,
      { name: 'noContent', status: 204, body: { is: 'none' as const }, header: false },
      ...(fails ? [{ name: 'conflict', status: 409, body: { is: 'failure' as const }, header: false }] : []),
    ])

const files = fc.record(
  {
    one: fc.constant<Shape>({ kind: 'file', required: true }),
    more: fc.constant<Shape>({ kind: 'collection', of: { kind: 'file' } }),
  },
  { requiredKeys: ['one'] },
) as fc.Arbitrary<Fields>

const payload = (media: readonly Media[]): fc.Arbitrary<PayloadSpec | undefined> =>
  fc
    .tuple(payloadShape(media), fc.boolean())
    .map(([made, forms]): PayloadSpec | undefined => made && { ...made, forms })

const payloadShape = (media: readonly Media[]): fc.Arbitrary<PayloadSpec | undefined> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: inputFields(media).map((fields) => ({ form: 'fields' as const, fields })) },
    { weight: 2, arbitrary: inputs(media).map((shape) => ({ form: 'whole' as const, shape: unwrapped(shape) })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(files, inputFields([]))
        .map(([own, others]) => ({ form: 'fields' as const, fields: { ...others, ...own } })),
    },
    {
      weight: 1,
      arbitrary: fc
        .boolean()
        .map((required) => ({ form: 'whole' as const, shape: { kind: 'file' as const, required } })),
    },
  )

// A default may be any text, but a header could not bring every one back.
const single = scalars.map((shape): Shape => {
  const { initial, ...rest } = shape
  const free = shape.kind === 'string' && shape.values === undefined
  return { ...rest, nullable: false, ...(initial !== undefined && !free && { initial }) } as Shape
})

// A list in a header is of single values.
const headerShape: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 4, arbitrary: single },
  { weight: 1, arbitrary: jsons(inputs([])).map((shape) => ({ ...shape, nullable: false })) },
  {
    weight: 1,
    arbitrary: single.map((of) => ({ kind: 'collection' as const, of: captured(of), max: 4 })),
  },
)

function action(
  name: string,
  n: number,
  routes: fc.Arbitrary<readonly RouteSpec[]>,
  media: readonly Media[],
): fc.Arbitrary<ActionSpec> {
  return routes.chain((own) => {
    const hasBody = own.every(({ verb }) => ['post', 'put', 'patch', 'delete', 'any'].includes(verb))
    return fc.record({
      name: fc.constant(name),
      routes: fc.constant(own),
      captures: capturesOf(own),
      splat: fc.constant(own.some(({ path }) => wildcardsIn(path) > 0)),
      params: fc.oneof(fc.constant({}), inputFields(media, PARAMS)),
      headers: fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom(...HEADERS), headerShape, { maxKeys: 2 })),
      payload: hasBody ? payload(media) : fc.constant(undefined),
      responses: responses(media, `late${n}${name}`),
      ignores: fc.boolean(),
      later: fc.boolean(),
    }) as fc.Arbitrary<ActionSpec>
  })
}

const routesOf = (n: number, word: string): fc.Arbitrary<readonly RouteSpec[]> =>
  fc.uniqueArray(
    fc.record({ verb: fc.constantFrom(...VERBS), path: paths(n, word), bare: fc.nat(9).map((one) => one === 0) }),
    { minLength: 1, maxLength: 2, selector: ({ verb, path }) => `${verb} ${JSON.stringify(path)}` },
  )

function endpoint(n: number, media: readonly Media[], parents: readonly number[]): fc.Arbitrary<EndpointSpec> {
  const show = action('show', n, fc.constant([{ verb: 'get', path: canonicalPath(n), bare: false }]), media)
  const others = fc.tuple(
    action('first', n, routesOf(n, `one${n}`), media),
    action('second', n, routesOf(n, `two${n}`), media),
  )
  return fc.record({
    name: fc.constant(`Some${n}`),
    number: fc.constant(n),
    prefix: fc.constantFrom(undefined, undefined, `/own${n}`, `deep${n}/er`, ''),
    version: fc.constantFrom(undefined, undefined, '1', '2.0 beta'),
    parent: fc.constantFrom(undefined, ...parents),
    renames: fc.boolean(),
    actions: fc.tuple(show, others).map(([first, rest]) => [first, ...rest]),
  }) as fc.Arbitrary<EndpointSpec>
}

/** Random applications. */
export const apis: fc.Arbitrary<ApiSpec> = mediaTypes.chain((media) =>
  fc.record({
    basePath: fc.constantFrom('', '', '/api', '/deep/api'),
    status: fc.constantFrom(400 as const, 422 as const),
    carriers: fc.subarray(['path', 'header', 'query'] as const, { minLength: 1 }),
    endpoints: fc.integer({ min: 1, max: 3 }).chain((count) =>
      fc.tuple(
        ...Array.from({ length: count }, (_, n) =>
          endpoint(
            n,
            media,
            Array.from({ length: n }, (__, i) => i),
          ),
        ),
      ),
    ),
  }),
) as fc.Arbitrary<ApiSpec>
