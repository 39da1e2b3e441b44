// Kinds that others write, whole in one object: clients read and write their values by their loaders and dumpers.

import {
  type AnyOptions,
  type Attribute,
  attribute as declared,
  type Kind,
  type Presence,
} from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import type { Reporter } from '../schema/issue.ts'
import type { Fail } from '../schema/kind.ts'
import { Loading } from '../schema/loading.ts'
import { memo } from '../util/memo.ts'

/** Makes an attribute of a kind; the type arguments state the values that the kind loads. */
export function attribute<C, T = unknown, P extends Presence = Presence>(
  kind: Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  return declared<C, T, P>(carried(kind) as Kind<C>, config, options)
}

const carried = memo(
  (kind: Kind<never>): Kind<never> => ({
    read(value, core, fail) {
      const loading = new Loading(false, () => true)
      loading.received = true
      return judged(core.loader(value, loading), loading, fail)
    },
    write(value, core, fail) {
      const dumping = new Dumping(false)
      return judged(core.dumper(value, dumping), dumping, fail)
    },
    ...kind,
  }),
) as (kind: object) => object

function judged(value: unknown, { issues }: Reporter, fail: Fail): unknown {
  const [issue] = issues ?? []
  return issue === undefined ? value : fail(issue.message, issue.pointer)
}
