// Requests whole: a media type that is sent has all of its attributes, whatever its default view shows.
import type { Attribute } from '../schema/attribute.ts'
import type { Dumper } from '../schema/dumping.ts'
import { array } from '../schema/structures/array.ts'
import { structDumper } from '../schema/structures/object.ts'
import { record } from '../schema/structures/record.ts'
import { variantFinder } from './variant.ts'

/** Makes the dumper of what a request brings. */
export function requestDumper(attribute: Attribute): Dumper {
  const { kind, core, options } = attribute
  if (core.target !== undefined) return lazily(core.target)
  if (kind === 'collection' || kind === 'hash') {
    const element = sent(core.children['*'] as Attribute)
    return (kind === 'hash' ? record(element, options as {}) : array(element, options as {})).core.dumper
  }
  if (kind === 'union') {
    const find = variantFinder(attribute)
    const dumpers = new Map(Object.values(core.children).map((one) => [one, lazily(one)]))
    return (value, dumping) => (dumpers.get(find(value) as Attribute) ?? core.dumper)(value, dumping)
  }
  if (kind !== 'struct' && kind !== 'media') return core.dumper
  return structDumper(Object.entries(core.children).map(([name, one]) => [name, sent(one)]))
}

const sent = (one: Attribute): Attribute => ({
  ...one,
  core: Object.create(one.core, { dumper: { get: () => lazily(one) } }),
})

// A type may contain itself: what is below is looked at when a value is there.
function lazily(attribute: Attribute): Dumper {
  let dumper: Dumper | undefined
  return (value, dumping) => {
    dumper ??= requestDumper(attribute)
    return dumper(value, dumping)
  }
}
