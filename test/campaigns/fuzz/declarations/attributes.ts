// The attributes of edict that shapes stand for.
import { type Attribute, type Attributes, type MediaType, mediaType, t, type View } from 'edict'
import * as v from 'valibot'
import { initialOf } from '../requests/inputs.ts'
import {
  type Bounds,
  type Fields,
  type Media,
  type NumberShape,
  PATTERNS,
  type PlainShape,
  type RefShape,
  type Shape,
  type TextShape,
} from './shape.ts'

/** A tree: a type that contains itself. */
interface Tree {
  label: string
  children?: Tree[]
}

const Tree: Attribute<Tree> = t.object({
  label: t.string({ required: true, max: 20 }),
  children: t.array(t.ref((): Attribute<Tree> => Tree, { name: 'Tree' })),
}) as never

const checked = v.pipe(
  v.string(),
  v.regex(/^[a-f]+$/, 'must be letters up to f'),
  v.transform((text) => text.toUpperCase()),
)
const checkedLater = v.pipeAsync(
  v.string(),
  v.checkAsync(async (text) => /^[a-f]+$/.test(text), 'must be letters up to f'),
)

const media = new WeakMap<Media, MediaType>()

/** The media type of a declaration, made once. */
function mediaTypeOf(of: Media): MediaType {
  let made = media.get(of)
  if (made === undefined) {
    const { name, fields, views } = of
    made = mediaType(name, { attributes: attributesOf(fields), views: views as never }) as unknown as MediaType
    media.set(of, made)
  }
  return made
}

/** A media type, or one of its views. */
export const shownAs = (of: Media, view: string | undefined): MediaType | View =>
  view === undefined ? mediaTypeOf(of) : (mediaTypeOf(of).view(view as never) as View)

/** Makes the attributes of some fields. */
export const attributesOf = (fields: Fields): Attributes =>
  Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, attributeOf(shape)]))

/** Makes the attribute of a shape. */
export function attributeOf(shape: Shape): Attribute {
  const options = {
    ...(shape.required !== undefined && { required: shape.required }),
    ...(shape.nullable !== undefined && { nullable: shape.nullable }),
    ...(shape.initial !== undefined && { default: initialOf(shape) }),
  }
  if (shape.kind === 'media') return t.ref(shownAs(shape.media, shape.view) as Attribute, options as {})
  if (shape.kind === 'ref') return referTo(shape, options)
  if (shape.kind === 'json') return t.json(attributeOf(shape.of), options as {})
  if (shape.kind === 'struct') return t.object(attributesOf(shape.fields), options as {})
  if (shape.kind === 'union') {
    const variants = Object.entries(shape.variants).map(([name, fields]) => [name, attributesOf(fields)] as const)
    return t.union(shape.tag, Object.fromEntries(variants), options as {})
  }
  if (shape.kind !== 'collection' && shape.kind !== 'hash') return scalarOf(shape as TextShape, options)
  const { delimiter } = shape
  const own = { ...options, ...limits(shape), ...(delimiter !== undefined && { delimiter }) } as {}
  return shape.kind === 'collection' ? t.array(attributeOf(shape.of), own) : t.record(attributeOf(shape.of), own)
}

function referTo({ of, lazy }: RefShape, options: object): Attribute {
  const target = attributeOf(of)
  return lazy ? t.ref(() => target, { ...options, name: 'Late' }) : t.ref(target, options as {})
}

const limits = ({ min, max }: Bounds): Bounds => ({
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
})

function scalarOf(shape: TextShape | NumberShape | PlainShape, options: object): Attribute {
  switch (shape.kind) {
    case 'string': {
      const { pattern, format, values } = shape
      const own = {
        ...(pattern !== undefined && { pattern: PATTERNS[pattern]?.pattern as RegExp }),
        ...(format !== undefined && { format }),
        ...(values !== undefined && { values }),
      }
      return t.string({ ...options, ...(limits(shape) as {}), ...own })
    }
    case 'integer':
    case 'number':
      return t[shape.kind]({ ...options, ...(limits(shape) as {}), ...(shape.values && { values: shape.values }) })
    case 'bigint': {
      const { min, max, values } = shape
      const own = { ...(min !== undefined && { min: BigInt(min) }), ...(max !== undefined && { max: BigInt(max) }) }
      return t.bigint({ ...options, ...own, ...(values && { values: values.map(BigInt) }) })
    }
    case 'tree':
      return t.ref(Tree, options)
    case 'checked':
      return t.standard(checked, options as {})
    case 'checkedLater':
      return t.standard(checkedLater, options as {})
    default:
      return (t[shape.kind] as (options: object) => Attribute)(options)
  }
}
