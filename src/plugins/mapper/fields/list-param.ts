// List params: declared for a media type, with their own settings; mistakes are reported at boot.

import {
  describeValue,
  form,
  isMediaType,
  isView,
  type KindOutline,
  type KindRules,
  type MistakenType,
  outlinedAttribute,
} from '../../../extend.ts'
import type { Attribute, MediaType, View } from '../../../index.ts'

/** The declaration of a list param, with its flaws. */
export interface ListParamConfig {
  readonly flaws?: readonly form.Flaw[]
}

/** A kind of list param. The browser variants of its rules are empty: front ends have only the outline. */
export interface ListKind<C extends ListParamConfig> extends KindOutline<C>, Partial<ListRules<C>> {}

/** The rules of a list param kind. */
export interface ListRules<C extends ListParamConfig> extends KindRules<C> {
  /** Returns the valid settings and options of a declaration, and the flaws of both. */
  accept(settings: object | undefined, options: unknown): AcceptedSettings<C>
}

/** The accepted settings and options of a declaration, with their flaws. */
export interface AcceptedSettings<C> {
  readonly settings: Partial<C>
  readonly options: object
  readonly flaws: readonly form.Flaw[]
}

/** Creates a list param; `getConfig` returns its declaration. Front ends skip the check, which the server has done. */
export function createListParam<C extends ListParamConfig>(
  kind: ListKind<C>,
  config: C,
  settings: Partial<C> | undefined,
  options: object | undefined,
): Attribute {
  const accepted = kind.accept?.(settings, options) ?? { settings, options, flaws: [] }
  const flaws = [...(config.flaws ?? []), ...accepted.flaws]
  return outlinedAttribute<C>(kind, { ...config, ...accepted.settings, flaws }, accepted.options)
}

/** The mark of an endpoint. The signature accepts it, so that the compiler reports the mistake at the declaration. */
export interface EndpointMark {
  readonly '~endpoint': true
}

/** The param P of a media type with the attributes A; A is never if the argument is not a media type. */
export type ParamFor<A, P extends Attribute> = [A] extends [never] ? MistakenType<NotMediaType> : P

/** The mistake of a param that is declared for an endpoint. */
export type NotMediaType = 'declare it for a media type, not for an endpoint'

const OPTIONS_FORM: form.Fields<{ readonly description?: string }> = { description: form.text }

/** Validates the settings and the options of a declaration. */
export function acceptSettings<S extends object>(
  settings: unknown,
  fields: form.Fields<S>,
  options: unknown,
): AcceptedSettings<S> {
  const [acceptedSettings, acceptedOptions] = [form.accept(settings, fields), form.accept(options, OPTIONS_FORM)]
  return {
    settings: acceptedSettings.value,
    options: acceptedOptions.value,
    flaws: [...acceptedSettings.flaws, ...acceptedOptions.flaws],
  }
}

/** Returns whether a value is a media type or a view of one. */
export const isMediaTypeOrView = (value: unknown): value is MediaType | View => isMediaType(value) || isView(value)

/** Returns the check that reports the flaws of settings; without flaws, it runs a further check. */
export const createMistakeFinder =
  <C extends ListParamConfig>(findMistakes: (config: C) => readonly string[]) =>
  (config: C): readonly (string | form.Flaw)[] => {
    const { flaws = [] } = config
    return flaws.length === 0 ? findMistakes(config) : flaws.map(describeFlaw)
  }

/** Returns a flaw with a sentence that names its setting. */
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
