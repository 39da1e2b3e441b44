// Bodies as they come: what a default view or a selection of fields left out is neither missing nor made up.
import type { AnyOptions, Attribute } from '../schema/attribute.ts'
import type { Loader } from '../schema/loading.ts'
import { array } from '../schema/structures/array.ts'
import { structLoader } from '../schema/structures/object.ts'
import { record } from '../schema/structures/record.ts'
import { variantFinder } from './variant.ts'

/**
 * Makes a loader of what an answer holds. With `partial`, nothing within it is missing, however deep; else what the
 * attribute shows by itself must be there. Types and limits are checked as ever.
 */
export function answerLoader(attribute: Attribute, partial: boolean): Loader {
  const { kind, core, options } = attribute
  if (core.target !== undefined) return lazily(core.target, partial)
  if (kind === 'collection' || kind === 'hash') {
    const element = received(core.children['*'] as Attribute, partial)
    return (kind === 'hash' ? record(element, options as {}) : array(element, options as {})).core.loader
  }
  if (kind === 'union') return unionLoader(attribute, partial)
  if (kind !== 'struct' && kind !== 'media') return core.loader
  const { shown } = core
  return structLoader(
    Object.entries(core.children).map(([name, one]) => [name, received(one, partial, Object.hasOwn(shown, name))]),
  )
}

function unionLoader(attribute: Attribute, partial: boolean): Loader {
  const { core } = attribute
  const find = variantFinder(attribute)
  const loaders = new Map(Object.values(core.children).map((one) => [one, lazily(one, partial)]))
  return (value, loading) => (loaders.get(find(value) as Attribute) ?? core.loader)(value, loading)
}

// What is not shown is unknown: its default would be a guess.
function received(one: Attribute, partial: boolean, isShown = true): Attribute {
  const { default: initial, ...rest } = one.options
  const certain = isShown && !partial
  const options: AnyOptions = {
    ...rest,
    required: one.options.required === true && certain,
    ...(certain && initial !== undefined && { default: initial }),
  }
  return { ...one, options, core: Object.create(one.core, { loader: { get: () => lazily(one, partial) } }) }
}

// A type may contain itself: what is below is looked at when a value is there.
function lazily(attribute: Attribute, partial: boolean): Loader {
  let loader: Loader | undefined
  return (value, loading) => {
    loader ??= answerLoader(attribute, partial)
    return loader(value, loading)
  }
}
