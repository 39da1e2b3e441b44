// Params of lists: declared for a media type, with their own settings; mistakes are kept until boot reports them.

import {
  attribute,
  described,
  form,
  isMediaType,
  isView,
  type Kind,
  type MistakenType,
  refused,
} from '../../../extend.ts'
import type { Attribute, MediaType, View } from '../../../index.ts'

/** The declaration of a param of a list, and its flaws. */
export interface ListParamConfig {
  readonly flaws?: readonly form.Flaw[]
}

const OPTIONS: form.Fields<{ readonly description?: string }> = { description: form.text }

/** Makes the param of a list; `configOf` returns its declaration. */
export function listParam<C extends ListParamConfig>(kind: Kind<C>, config: C, options: unknown): Attribute {
  const own = form.accept(options, OPTIONS)
  return attribute(kind, { ...config, flaws: [...(config.flaws ?? []), ...own.flaws] }, own.value)
}

/** The mark of an endpoint. It is taken, and refused where the param is declared: there compilers name the mistake at once. */
export interface EndpointMark {
  readonly '~endpoint': true
}

/** The param P of a media type with the attributes A, which are unknown if it is none. */
export type ParamFor<A, P extends Attribute> = [A] extends [never] ? MistakenType<NoMediaType> : P

/** The mistake of a param that is declared for an endpoint. */
export type NoMediaType = 'declare it for a media type, not for an endpoint'

/** The param in place of one that is declared for something other than a media type. */
export function strayParam(given: unknown, words = 'a media type'): Attribute {
  return refused({ at: '', problem: `it is declared for ${described(given)}`, remedy: `declare it for ${words}` })
}

/** Returns whether a value is a media type or a view of one. */
export const isShown = (value: unknown): value is MediaType | View => isMediaType(value) || isView(value)

/** The flaws of settings as mistakes of an attribute; without flaws, the result of a further check. */
export const listMistakes =
  <C extends ListParamConfig>(look: (config: C) => readonly string[]) =>
  (config: C): readonly (string | form.Flaw)[] => {
    const { flaws = [] } = config
    return flaws.length === 0 ? look(config) : flaws.map(inWords)
  }

/** A flaw as one sentence that names its setting. */
export const inWords = (flaw: form.Flaw): form.Flaw => ({
  ...flaw,
  problem: form.sentence(flaw, 'what stands for the settings'),
})

const PAGE = form.object<{ page: number }>({ page: form.required(form.whole(1)) })
const BY = form.object<{ by: string }>({ by: form.required(form.name) })

/** The mode of a request without pagination: a page, or the first elements by a field. */
export const mode: form.Form = {
  words: '{ page: 1 } or { by: … }',
  check(value) {
    if (typeof value !== 'object' || value === null || 'page' in value === 'by' in value) {
      const problem = `it is ${described(value)}, which must be a page or a field`
      return [{ at: '', problem, remedy: 'write { page: 1 } or { by: … }' }]
    }
    return 'page' in value ? PAGE.check(value) : BY.check(value)
  },
}
