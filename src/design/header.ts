// The short forms of a header declaration; the general form is an attribute with its options.
import { type Attribute, type AttributeCore, isAttribute } from '../schema/attribute.ts'
import { string } from '../schema/string.ts'

/** A header whose value, when present, equals one text. */
type Fixed<V extends string, O> = Attribute<V, O extends { readonly required: true } ? true : false>

/** Declares a required String header. */
export function header(): Attribute<string, true>
/** Declares a header of another type. */
export function header<A extends Attribute>(type: A): A
/** Declares an optional String header that must match when present. */
export function header<const O extends { readonly required?: boolean } = {}>(
  pattern: RegExp,
  options?: O,
): Attribute<string, O extends { readonly required: true } ? true : false>
/** Declares a String header that must equal the text when present. */
export function header<const V extends string, const O extends { readonly required?: boolean } = {}>(
  value: V,
  options?: O,
): Fixed<V, O>
export function header(form?: Attribute | RegExp | string, options?: { readonly required?: boolean }): Attribute {
  if (form === undefined) return string({ required: true })
  if (isAttribute(form)) return options === undefined ? form : refused(form)
  const required = options?.required ?? false
  return form instanceof RegExp ? string({ pattern: form, required }) : string({ values: [form], required })
}

// The compiler refuses a type together with a value; where it was not asked, the application's boot does.
function refused(form: Attribute): Attribute {
  const mistakes = (): readonly string[] => [
    ...form.core.mistakes(),
    'a header takes a type or a value in its short form, not both; write the general form: an attribute with options',
  ]
  const core: AttributeCore = Object.create(form.core, { mistakes: { value: mistakes } })
  return Object.freeze({ ...form, core })
}
