// The short forms of a header declaration; the general form is an attribute with its options.
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue } from '../../schema/attribute-options.ts'
import { makeInvalidVariant } from '../../schema/invalid-attribute.ts'
import { type StringOptions, string } from '../../schema/scalars/string.ts'
import type { Nullable, PresenceOf } from '../../schema/types.ts'
import { isSettings } from '../../util/setting-form.ts'

/**
 * The options of a header that must match or equal something: those of a string, without the ones that the short form
 * sets.
 */
export interface HeaderOptions<
  V extends string = string,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<V> | undefined,
> extends Omit<StringOptions<V, R, N, D>, 'pattern' | 'values'> {}

// A header is required by default.
type HeaderPresence<R, D> = D extends undefined ? (R extends false ? false : true) : 'default'

type HeaderText<F> = F extends string ? F : string

type FormPresence<F, R, D> = F extends undefined ? HeaderPresence<R, D> : PresenceOf<R, D>

// There are few overloads: if none of several with the same number of arguments matches, the compiler only reports that
// none does.

/** Declares a required string header. */
export function header(): Attribute<string, true>
/** Declares a header of another type. */
export function header<A extends Attribute>(type: A): A
/**
 * Declares a string header that, when present, must match the pattern or equal the text; with neither, it is required.
 */
export function header<
  const F extends RegExp | string | undefined,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<HeaderText<F>, R> = undefined,
>(
  form: F,
  options?: HeaderOptions<HeaderText<F>, R, N, D>,
): Attribute<Nullable<HeaderText<F>, N>, FormPresence<F, R, D>>
/** Declares a string header with options; it is required by default. */
export function header<
  const V extends string = string,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options: StringOptions<V, R, N, D>): Attribute<Nullable<V, N>, HeaderPresence<R, D>>
export function header(form?: Attribute | RegExp | string | StringOptions, options?: StringOptions): Attribute {
  if (form === undefined) return string(options === undefined ? REQUIRED_OPTIONS : withRequired(options))
  if (isAttribute(form)) return options === undefined ? form : refuseHeader(form, TYPE_AND_OPTIONS)
  if (form instanceof RegExp) return makeTextHeader(options, { pattern: form })
  if (typeof form === 'string') return makeTextHeader(options, { values: [form] })
  const attribute = string(withRequired(form))
  return options === undefined ? attribute : refuseHeader(attribute, 'a header takes its options once')
}

const REQUIRED_OPTIONS: StringOptions = { required: true }

// The attribute reports a value that is not an options object at boot.
const withRequired = (options: StringOptions): StringOptions =>
  isSettings(options) && options.default === undefined ? { ...REQUIRED_OPTIONS, ...options } : options

const TYPE_AND_OPTIONS =
  'a header takes a type or a value in its short form, not both; write the general form: an attribute with options'

function makeTextHeader(options: StringOptions = {}, own: Pick<StringOptions, 'pattern' | 'values'>): Attribute {
  if (!isSettings(options)) return string(options)
  const attribute = string({ ...(options as StringOptions), ...own })
  const duplicate = (['pattern', 'values'] as const).find((name) => options[name] !== undefined)
  return duplicate === undefined
    ? attribute
    : refuseHeader(attribute, `a header that has a value in its short form takes no ${duplicate}`)
}

// The compiler refuses these; without it, the application's boot does.
function refuseHeader(form: Attribute, mistake: string): Attribute {
  return makeInvalidVariant(form, { at: '', problem: mistake, remedy: 'correct the options of the attribute' })
}
