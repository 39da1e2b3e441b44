// Parts of representations: what a selection of fields left out is not missing.
import type { Attribute } from '../schema/attribute.ts'
import { INVALID } from '../schema/issue.ts'
import type { Loader } from '../schema/loading.ts'
import { structLoader } from '../schema/struct.ts'

/** Makes a loader of an attribute that misses nothing within it, however deep; types and limits are checked as ever. */
export function partialLoader(attribute: Attribute): Loader {
  const { kind, core } = attribute
  if (core.target !== undefined) return lazily(core.target)
  if (kind === 'collection') return listLoader(lazily(core.children['*'] as Attribute))
  if (kind !== 'struct' && kind !== 'media') return core.loader
  const optional = (one: Attribute): Attribute => {
    const core = Object.create(one.core, { loader: { get: () => lazily(one) } })
    return { ...one, options: { ...one.options, required: false }, core }
  }
  return structLoader(Object.entries(core.children).map(([name, one]) => [name, optional(one)]))
}

// A type may contain itself: what is below is looked at when a value is there.
function lazily(attribute: Attribute): Loader {
  let loader: Loader | undefined
  return (value, loading) => {
    loader ??= partialLoader(attribute)
    return loader(value, loading)
  }
}

const listLoader =
  (load: Loader): Loader =>
  (value, loading) => {
    if (!Array.isArray(value)) return loading.fail('type', { expected: 'a list' })
    const loaded = value.map((one: unknown) => (one === null ? null : load(one, loading)))
    return loaded.includes(INVALID) ? INVALID : loaded
  }
