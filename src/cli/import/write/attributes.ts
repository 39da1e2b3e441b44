// Attributes as expressions.
import { isRequirement } from '../../../schema/requires.ts'
import { type Component, isMedia, isNullable, type Node, type Nodes, type Options } from '../schemas/node.ts'
import { arrow, type Code, call, list, literal, object, quoted, raw } from './code.ts'
import type { Module } from './module.ts'

/** The place that attributes are written in. */
export interface Site {
  readonly module: Module
  /** The name of a component in this file, which imports it. */
  nameOf(component: Component): string
  /** Components that are declared later. */
  readonly later: ReadonlySet<Component>
}

const ORDER = ['required', 'nullable', 'min', 'max', 'pattern', 'format', 'values', 'types', 'delimiter']

/** Writes an attribute. */
export function attributeCode(node: Node, site: Site): Code {
  const { module } = site
  const options = optionsCode(node.kind === 'ref' ? refOptions(node, site) : node.options, site)
  const given = options === undefined ? [] : [options]
  if (node.kind === 'ref') return referenceCode(node.component, options, site)
  const t = module.use('t')
  if (node.kind === 'object') return call(`${t}.object`, attributesCode(node.attributes, site), ...given)
  if (node.kind === 'union') {
    const variants = [...node.variants].map(([tag, one]) => [tag, attributesCode(one, site)] as const)
    return call(`${t}.union`, raw(quoted(node.discriminator)), object(variants), ...given)
  }
  if ('of' in node) return call(`${t}.${node.kind}`, attributeCode(node.of, site), ...given)
  return call(`${t}.${node.kind}`, ...given)
}

/** Writes attributes by their names. */
export const attributesCode = (nodes: Nodes, site: Site): Code =>
  object([...nodes].map(([name, one]) => [name, attributeCode(one, site)] as const))

function referenceCode(component: Component, options: Code | undefined, site: Site): Code {
  const name = site.nameOf(component)
  const isLate = site.later.has(component)
  if (options === undefined && !isLate) return raw(name)
  const target = isLate ? arrow(raw(name)) : raw(name)
  return call(`${site.module.use('t')}.ref`, target, ...(options === undefined ? [] : [options]))
}

// A reference that is looked up later has no options but its own, and a name for documents.
function refOptions(node: Node & { readonly component: Component }, { later }: Site): Options {
  const { component } = node
  const nullable = isNullable(node) && (isMedia(component) || later.has(component))
  const own = { ...node.options, ...(nullable && { nullable: true }) }
  return later.has(component) ? { ...own, name: component.name } : own
}

function optionsCode(options: Options, { module }: Site): Code | undefined {
  const names = Object.keys(options).filter((name) => options[name] !== undefined)
  if (names.length === 0) return undefined
  const rank = (name: string): number => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1)
  const sorted = names.sort((a, b) => rank(a) - rank(b))
  return object(sorted.map((name) => [name, optionCode(options[name], module)] as const))
}

function optionCode(value: unknown, module: Module): Code {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRequirement)) return literal(value)
  return list(value.map((one) => call(module.use(one['~requires']), ...one.names.map((name) => literal(name)))))
}
