// Custom kinds, complete in one object: clients read and write their values with the kind's loader and dumper.

import { parseSelection } from '../design/fields/selection.ts'
import {
  type AnyOptions,
  type Attribute,
  type AttributeCore,
  type DeclaredAttribute,
  extendAttributes,
  type Kind,
  makeAttribute,
  type Presence,
} from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import type { IssueCollector } from '../schema/issue.ts'
import type { FailConversion } from '../schema/kind.ts'
import { Loading } from '../schema/loading.ts'
import { memoize } from '../util/memoize.ts'

/** Creates an attribute of a kind; the type arguments state the values that the kind loads. */
export function attribute<C, T = unknown, P extends Presence = Presence>(
  kind: Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  const created = makeAttribute<C, T, P>(withReadWrite(kind) as Kind<C>, config, options)
  if (!('loader' in created.core)) extendAttributes(KIND_GETTERS)
  return created
}

// Front ends do not contain the rules of the built-in kinds; complete kinds bring their own.
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
    // Callers may pass fields as a list of paths.
    write: (value, core, fail) =>
      dumpValue(core.selectsFrom !== undefined && Array.isArray(value) ? parseSelection(value) : value, core, fail),
    ...kind,
  }),
) as (kind: object) => object

/** Converts a value to JSON data with the dumper of its kind. */
export function dumpValue(value: unknown, core: AttributeCore, fail: FailConversion): unknown {
  const dumping = new Dumping(false)
  return failOnIssue(core.dumper(value, dumping), dumping, fail)
}

function failOnIssue(value: unknown, { issues }: IssueCollector, fail: FailConversion): unknown {
  const [issue] = issues ?? []
  return issue === undefined ? value : fail(issue.message, issue.pointer)
}
