// The short forms of a header declaration; the general form is an attribute with its options.
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import type { DefaultValue, AllowedDefault, OptionalFlag } from '../../schema/attribute-options.ts'
import { makeInvalidAttribute as refusedAttribute } from '../../schema/invalid-attribute.ts'
import { type StringOptions, string } from '../../schema/scalars/string.ts'
import type { Nullable, Present } from '../../schema/types.ts'
import { type Flaw, isSettings } from '../../util/setting-form.ts'

/** Options of a header that must match or equal something: those of a text, but for what the form says itself. */
export interface HeaderOptions<
  V extends string = string,
  R extends OptionalFlag = OptionalFlag,
  N extends OptionalFlag = OptionalFlag,
  D = DefaultValue<V> | undefined,
> extends Omit<StringOptions<V, R, N, D>, 'pattern' | 'values'> {}

// A header that says nothing of it must be sent.
type HeaderPresence<R, D> = D extends undefined ? (R extends false ? false : true) : 'default'

type HeaderText<F> = F extends string ? F : string

type FormPresence<F, R, D> = F extends undefined ? HeaderPresence<R, D> : Present<R, D>

// Few forms: of a call that fits none of several with as many arguments, compilers only say that none fits.

/** Declares a required text header. */
export function header(): Attribute<string, true>
/** Declares a header of another type. */
export function header<A extends Attribute>(type: A): A
/** Declares a String header that must match the pattern, or equal the text, when present; with neither, it is required. */
export function header<
  const F extends RegExp | string | undefined,
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<HeaderText<F>, R> = undefined,
>(form: F, options?: HeaderOptions<HeaderText<F>, R, N, D>): Attribute<Nullable<HeaderText<F>, N>, FormPresence<F, R, D>>
/** Declares a String header with options; it is required unless they say otherwise. */
export function header<
  const V extends string = string,
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options: StringOptions<V, R, N, D>): Attribute<Nullable<V, N>, HeaderPresence<R, D>>
export function header(form?: Attribute | RegExp | string | StringOptions, options?: StringOptions): Attribute {
  if (form === undefined) return string(options === undefined ? REQUIRED_OPTIONS : withRequired(options))
  if (isAttribute(form)) return options === undefined ? form : refuseHeader(form, TYPE_AND_OPTIONS)
  if (form instanceof RegExp) return makeTextHeader(options, { pattern: form })
  if (typeof form === 'string') return makeTextHeader(options, { values: [form] })
  const made = string(withRequired(form))
  return options === undefined ? made : refuseHeader(made, 'a header takes its options once')
}

const REQUIRED_OPTIONS: StringOptions = { required: true }

// A value that is no options object is left to the attribute, which reports it at boot.
const withRequired = (options: StringOptions): StringOptions =>
  isSettings(options) && options.default === undefined ? { ...REQUIRED_OPTIONS, ...options } : options

const TYPE_AND_OPTIONS =
  'a header takes a type or a value in its short form, not both; write the general form: an attribute with options'

function makeTextHeader(options: StringOptions = {}, own: Pick<StringOptions, 'pattern' | 'values'>): Attribute {
  if (!isSettings(options)) return string(options)
  const made = string({ ...(options as StringOptions), ...own })
  const twice = (['pattern', 'values'] as const).find((name) => options[name] !== undefined)
  return twice === undefined ? made : refuseHeader(made, `a header that has a value in its short form takes no ${twice}`)
}

const makeHeaderFlaw = (problem: string): Flaw => ({ at: '', problem, remedy: 'correct the options of the attribute' })

// The compiler refuses these; where it was not asked, the application's boot does.
function refuseHeader(form: Attribute, mistake: string): Attribute {
  const found = [...form.core.mistakes(), mistake]
  return refusedAttribute(...found.map((one) => (typeof one === 'string' ? makeHeaderFlaw(one) : one)))
}
