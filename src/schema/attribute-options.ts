// The options that every attribute takes, and the forms of all options.
import {
  anything,
  custom,
  either,
  type Fields,
  flag,
  list,
  name,
  object,
  required,
  type SettingForm,
  text,
} from '../util/setting-form.ts'

/** True, false, or not set. */
export type BooleanOption = boolean | undefined

/** A default: a value, or a function that is called for each request. */
export type DefaultValue<T> = T | null | (() => T | null)

/** The defaults that an attribute with values T may have; undefined for none. A required attribute (R) has none. */
export type AllowedDefault<T, R> = R extends true ? NoDefault | undefined : DefaultValue<T> | undefined

/** The type of `default` on a required attribute; the compiler error shows its member name. */
interface NoDefault {
  readonly 'a required attribute takes no default': never
}

/** The details of a deprecation: its start, its end, and the replacement. */
export interface Deprecation {
  /** The start date, such as `'2026-10-01'`, or a time with its zone. */
  readonly since?: string
  /** The date from which it may be removed. */
  readonly sunset?: string
  /** The replacement: the name of an action of the endpoint, the name of an attribute, or a URL. */
  readonly instead?: string
  /** The URL of a page with more information. */
  readonly link?: string
}

const DEPRECATION_DATE_PATTERN = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

const deprecationDateForm = custom(
  "a day such as '2026-10-01', or a time with its zone",
  (value) => typeof value === 'string' && DEPRECATION_DATE_PATTERN.test(value) && !Number.isNaN(Date.parse(value)),
)

const deprecationFields: Fields<Deprecation> = {
  since: deprecationDateForm,
  sunset: deprecationDateForm,
  instead: name,
  link: name,
}

/** The values of the option `deprecated`: true, or the details. */
export const deprecationForm: SettingForm = either(flag, object(deprecationFields))

/** Describes a deprecation in words. */
export function describeDeprecation(deprecated: boolean | Deprecation): string {
  const { since, sunset, instead } = typeof deprecated === 'object' ? deprecated : ({} as Deprecation)
  return [
    `Deprecated${since === undefined ? '' : ` since ${since}`}.`,
    ...(sunset === undefined ? [] : [`It may be gone from ${sunset} on.`]),
    ...(instead === undefined ? [] : [`Use \`${instead}\` instead.`]),
  ].join(' ')
}

/** The options that do not depend on the value of an attribute; R and N are the types of `required` and `nullable`. */
export interface SharedOptions<out R extends BooleanOption, out N extends BooleanOption> {
  /**
   * Requests and responses must have the attribute.
   * @default `false`
   */
  readonly required?: R
  /**
   * Accepts null; without it, null is rejected.
   * @default `false`
   */
  readonly nullable?: N
  /** Describes the attribute in documents; markdown. */
  readonly description?: string
  /**
   * Marks the attribute as deprecated: true, or the details.
   * @default `false`
   * @see docs/guide/deprecation.md
   */
  readonly deprecated?: boolean | Deprecation
  /**
   * Values are secrets: log lines never contain them, and documents mark them.
   * @default `false`
   * @see docs/guide/access-log.md#secrets
   */
  readonly secret?: boolean
}

/** The options that every attribute takes: T is its value, D its default. */
export interface Options<
  out T,
  out R extends BooleanOption = BooleanOption,
  out N extends BooleanOption = BooleanOption,
  out D = DefaultValue<T> | undefined,
> extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D
  /** A value for documents and for generated examples. */
  readonly example?: T | null
}

/** The audiences of a restricted attribute. */
export interface Restriction {
  /** The names of the audiences that see it; a client of any of them does. */
  readonly audiences: readonly string[]
  /** Whether clients that see it must receive it; other clients never do. */
  readonly required: boolean
}

/** Formats the audiences of an attribute for documents. */
export const formatAudiences = (audiences: readonly string[]): string =>
  audiences.map((name) => `\`${name}\``).join(audiences.length > 2 ? ', ' : ' and ')

/** The options of any attribute at run time. */
export interface AnyOptions extends Options<unknown> {
  /** Set by functions such as `visibleTo`, whose result type says that the attribute may be missing. */
  readonly visibleTo?: Restriction
}

/** The forms of the options that every attribute takes. */
export const sharedOptionForms: Fields<AnyOptions> = {
  required: flag,
  default: anything,
  nullable: flag,
  description: text,
  deprecated: deprecationForm,
  secret: flag,
  example: anything,
  visibleTo: object<Restriction>({ audiences: required(list(name)), required: required(flag) }),
}

/** The forms of the options that a kind adds; an option without a form does not compile. */
export type KindOptionForms<O> = Fields<Omit<O, keyof AnyOptions>>
