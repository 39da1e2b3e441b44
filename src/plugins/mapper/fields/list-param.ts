// Params of lists: declared for a media type, with their own settings; mistakes are kept until boot reports them.

import {
  describeValue,
  form,
  isMediaType,
  isView,
  type KindOutline,
  type KindRules,
  type Late,
  type MistakenType,
  outlinedAttribute,
  requireLate,
  makeInvalidAttribute,
} from '../../../extend.ts'
import type { Attribute, MediaType, View } from '../../../index.ts'

/** The declaration of a param of a list, and its flaws. */
export interface ListParamConfig {
  readonly flaws?: readonly form.Flaw[]
}

/** A kind of param of a list, of which front ends have the outline only. */
export interface ListKind<C extends ListParamConfig> extends KindOutline<C> {
  readonly rules: Late<ListRules<C>>
}

/** The rules of such a kind. */
export interface ListRules<C extends ListParamConfig> extends KindRules<C> {
  /** The settings of a declaration that are of the right form, its options, and the flaws of both. */
  accept(settings: object | undefined, options: unknown): AcceptedSettings<C>
  /** The param in place of one that is declared for something else. */
  refuse(given: unknown): Attribute
  /** Writes what clients give, where that takes rules. */
  readonly write?: KindOutline<C>['write']
}

/** The settings of a declaration, and its options. */
export interface AcceptedSettings<C> {
  readonly settings: Partial<C>
  readonly options: object
  readonly flaws: readonly form.Flaw[]
}

/** Makes the param of a list; `configOf` returns its declaration. Front ends have settings that a server has checked. */
export function createListParam<C extends ListParamConfig>(
  kind: ListKind<C>,
  config: C,
  settings: Partial<C> | undefined,
  options: object | undefined,
): Attribute {
  const given = kind.rules.value?.accept(settings, options) ?? { settings, options, flaws: [] }
  const flaws = [...(config.flaws ?? []), ...given.flaws]
  return outlinedAttribute<C>(kind, { ...config, ...given.settings, flaws }, given.options)
}

/** The param in place of one that is declared for something other than a media type. */
export const createMisdeclaredParam = <C extends ListParamConfig>({ rules }: ListKind<C>, given: unknown): Attribute =>
  requireLate(rules).refuse(given)

/** The mark of an endpoint. It is taken, and refused where the param is declared: there compilers name the mistake at once. */
export interface EndpointMark {
  readonly '~endpoint': true
}

/** The param P of a media type with the attributes A, which are unknown if it is none. */
export type ParamFor<A, P extends Attribute> = [A] extends [never] ? MistakenType<NotMediaType> : P

/** The mistake of a param that is declared for an endpoint. */
export type NotMediaType = 'declare it for a media type, not for an endpoint'

/** Makes the param in place of one that is declared for something other than a media type, as rules do. */
export const refuseDeclaration = (given: unknown, words = 'a media type'): Attribute =>
  makeInvalidAttribute({ at: '', problem: `it is declared for ${describeValue(given)}`, remedy: `declare it for ${words}` })

const OPTIONS_FORM: form.Fields<{ readonly description?: string }> = { description: form.text }

/** Accepts the settings of a declaration by their forms, and its options. */
export function acceptSettings<S extends object>(
  settings: unknown,
  fields: form.Fields<S>,
  options: unknown,
): AcceptedSettings<S> {
  const [own, others] = [form.accept(settings, fields), form.accept(options, OPTIONS_FORM)]
  return { settings: own.value, options: others.value, flaws: [...own.flaws, ...others.flaws] }
}

/** Returns whether a value is a media type or a view of one. */
export const isMediaTypeOrView = (value: unknown): value is MediaType | View => isMediaType(value) || isView(value)

/** The flaws of settings as mistakes of an attribute; without flaws, the result of a further check. */
export const createMistakeFinder =
  <C extends ListParamConfig>(look: (config: C) => readonly string[]) =>
  (config: C): readonly (string | form.Flaw)[] => {
    const { flaws = [] } = config
    return flaws.length === 0 ? look(config) : flaws.map(describeFlaw)
  }

/** A flaw as one sentence that names its setting. */
export const describeFlaw = (flaw: form.Flaw): form.Flaw => ({
  ...flaw,
  problem: form.formatFlaw(flaw, 'what stands for the settings'),
})

const PAGE_FORM = form.object<{ page: number }>({ page: form.required(form.integerFrom(1)) })
const BY_FORM = form.object<{ by: string }>({ by: form.required(form.name) })

/** The mode of a request without pagination: a page, or the first elements by a field. */
export const modeForm: form.SettingForm = {
  expected: '{ page: 1 } or { by: … }',
  check(value) {
    if (typeof value !== 'object' || value === null || 'page' in value === 'by' in value) {
      const problem = `it is ${describeValue(value)}, which must be a page or a field`
      return [{ at: '', problem, remedy: 'write { page: 1 } or { by: … }' }]
    }
    return 'page' in value ? PAGE_FORM.check(value) : BY_FORM.check(value)
  },
}
