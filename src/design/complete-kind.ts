// Custom kinds, complete in one object: clients read and write their values with the kind's loader and dumper.

import { type AnyOptions, type Attribute, type AttributeCore, makeAttribute } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import type { IssueCollector } from '../schema/issue.ts'
import type { FailConversion, HasCore, Kind, KindRules, Presence, ValueRules } from '../schema/kind.ts'
import { Loading } from '../schema/loading.ts'
import { memoize } from '../util/memoize.ts'
import { parseSelection } from './fields/selection.ts'

/** Creates an attribute of a kind; the type arguments state the values that the kind loads. */
export function attribute<C, T = unknown, P extends Presence = Presence>(
  kind: Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  return makeAttribute<C, T, P>(withReadWrite(kind) as Kind<C>, config, options)
}

const withReadWrite = memoize(
  (kind: Kind<never>): Kind<never> => ({
    read(value, { config, options }, fail) {
      const loading = new Loading('json', () => true)
      loading.isResponse = true
      const load = kind.loader(config as never, options, createConversionRules('read', fail))
      return failOnIssue(load(value, loading), loading, fail)
    },
    // Callers may pass fields as a list of paths.
    write: (value, core, fail) =>
      dumpWith(
        kind,
        core.selectsFrom !== undefined && Array.isArray(value) ? parseSelection(value) : value,
        core,
        fail,
      ),
    ...kind,
  }),
) as (kind: object) => object

/** Converts a value to JSON data with the dumper of a kind. */
export function dumpWith<C>(
  kind: Pick<KindRules<C>, 'dumper'>,
  value: unknown,
  { config, options }: AttributeCore,
  fail: FailConversion,
): unknown {
  const dumping = new Dumping('unchecked')
  const dump = kind.dumper(config as C, options, createConversionRules('write', fail))
  return failOnIssue(dump(value, dumping), dumping, fail)
}

// Front ends do not contain the rules of the built-in kinds: the attributes below convert their values themselves.
function createConversionRules(way: 'read' | 'write', fail: FailConversion): ValueRules {
  const getConversion =
    ({ core }: HasCore) =>
    (value: unknown) =>
      core.convert(way, value, fail)
  return { getLoader: getConversion, getDumper: getConversion, isAsync: () => false }
}

function failOnIssue(value: unknown, { issues }: IssueCollector, fail: FailConversion): unknown {
  const [issue] = issues ?? []
  return issue === undefined ? value : fail(issue.message, issue.pointer)
}
