// The short forms of a header declaration; the general form is an attribute with its options.
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import type { Initial, InitialOf, Said } from '../../schema/options.ts'
import { refused as refusedAttribute } from '../../schema/refused.ts'
import { type StringOptions, string } from '../../schema/scalars/string.ts'
import type { Nullable, Present } from '../../schema/types.ts'
import { type Flaw, isStructure } from '../../util/form.ts'

/** Options of a header that must match or equal something: those of a text, but for what the form says itself. */
export interface HeaderOptions<
  V extends string = string,
  R extends Said = Said,
  N extends Said = Said,
  D = Initial<V> | undefined,
> extends Omit<StringOptions<V, R, N, D>, 'pattern' | 'values'> {}

// A header that says nothing of it must be sent.
type Sent<R, D> = D extends undefined ? (R extends false ? false : true) : 'default'

type TextOf<F> = F extends string ? F : string

type PresentAs<F, R, D> = F extends undefined ? Sent<R, D> : Present<R, D>

// Few forms: of a call that fits none of several with as many arguments, compilers only say that none fits.

/** Declares a required text header. */
export function header(): Attribute<string, true>
/** Declares a header of another type. */
export function header<A extends Attribute>(type: A): A
/** Declares a String header that must match the pattern, or equal the text, when present; with neither, it is required. */
export function header<
  const F extends RegExp | string | undefined,
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<TextOf<F>, R> = undefined,
>(form: F, options?: HeaderOptions<TextOf<F>, R, N, D>): Attribute<Nullable<TextOf<F>, N>, PresentAs<F, R, D>>
/** Declares a String header with options; it is required unless they say otherwise. */
export function header<
  const V extends string = string,
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<V, R> = undefined,
>(options: StringOptions<V, R, N, D>): Attribute<Nullable<V, N>, Sent<R, D>>
export function header(form?: Attribute | RegExp | string | StringOptions, options?: StringOptions): Attribute {
  if (form === undefined) return string(options === undefined ? SENT : sent(options))
  if (isAttribute(form)) return options === undefined ? form : refused(form, TYPED)
  if (form instanceof RegExp) return textOf(options, { pattern: form })
  if (typeof form === 'string') return textOf(options, { values: [form] })
  const made = string(sent(form))
  return options === undefined ? made : refused(made, 'a header takes its options once')
}

const SENT: StringOptions = { required: true }

// A value that is no options object is left to the attribute, which reports it at boot.
const sent = (options: StringOptions): StringOptions =>
  isStructure(options) && options.default === undefined ? { ...SENT, ...options } : options

const TYPED =
  'a header takes a type or a value in its short form, not both; write the general form: an attribute with options'

function textOf(options: StringOptions = {}, own: Pick<StringOptions, 'pattern' | 'values'>): Attribute {
  if (!isStructure(options)) return string(options)
  const made = string({ ...(options as StringOptions), ...own })
  const twice = (['pattern', 'values'] as const).find((name) => options[name] !== undefined)
  return twice === undefined ? made : refused(made, `a header that has a value in its short form takes no ${twice}`)
}

const flaw = (problem: string): Flaw => ({ at: '', problem, remedy: 'correct the options of the attribute' })

// The compiler refuses these; where it was not asked, the application's boot does.
function refused(form: Attribute, mistake: string): Attribute {
  const found = [...form.core.mistakes(), mistake]
  return refusedAttribute(...found.map((one) => (typeof one === 'string' ? flaw(one) : one)))
}
