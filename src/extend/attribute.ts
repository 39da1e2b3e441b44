// Kinds that others write, whole in one object: clients read and write their values by their loaders and dumpers.

import { selectionOf } from '../design/fields/selection.ts'
import {
  type AnyOptions,
  type Attribute,
  type AttributeCore,
  type DeclaredAttribute,
  makeAttribute as declared,
  extendAttributes,
  type Kind,
  type Presence,
} from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import type { IssueCollector } from '../schema/issue.ts'
import type { FailConversion } from '../schema/kind.ts'
import { Loading } from '../schema/loading.ts'
import { memoize } from '../util/memoize.ts'

/** Makes an attribute of a kind; the type arguments state the values that the kind loads. */
export function attribute<C, T = unknown, P extends Presence = Presence>(
  kind: Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  const made = declared<C, T, P>(withReadWrite(kind) as Kind<C>, config, options)
  if (!('loader' in made.core)) extendAttributes(KIND_GETTERS)
  return made
}

// Front ends have the rules of no built-in kind; whole kinds bring theirs along.
const KIND_GETTERS = {
  get loader() {
    return this.kind.loader(this.config, this.options)
  },
  get dumper() {
    return this.kind.dumper(this.config, this.options)
  },
} as Pick<AttributeCore, 'loader' | 'dumper'> & ThisType<DeclaredAttribute & { readonly kind: Kind<unknown> }>

const withReadWrite = memoize(
  (kind: Kind<never>): Kind<never> => ({
    read(value, core, fail) {
      const loading = new Loading(false, () => true)
      loading.isResponse = true
      return failOnIssue(core.loader(value, loading), loading, fail)
    },
    // Callers may give fields as a list of paths.
    write: (value, core, fail) =>
      dumpValue(core.projects !== undefined && Array.isArray(value) ? selectionOf(value) : value, core, fail),
    ...kind,
  }),
) as (kind: object) => object

/** Makes what JSON carries of a value by the dumper of its kind. */
export function dumpValue(value: unknown, core: AttributeCore, fail: FailConversion): unknown {
  const dumping = new Dumping(false)
  return failOnIssue(core.dumper(value, dumping), dumping, fail)
}

function failOnIssue(value: unknown, { issues }: IssueCollector, fail: FailConversion): unknown {
  const [issue] = issues ?? []
  return issue === undefined ? value : fail(issue.message, issue.pointer)
}
