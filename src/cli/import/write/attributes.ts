// Attributes as expressions.
import { isRequirement } from '../../../schema/requirements.ts'
import { type Component, isMediaComponent, isNullable, type AttributeNode, type AttributeNodes, type NodeOptions } from '../schemas/attribute-node.ts'
import { buildArrow, type Code, buildCall, buildList, buildLiteral, buildObject, quoteLiteral, buildRaw } from './code.ts'
import type { GeneratedModule } from './generated-module.ts'

/** The place that attributes are written in. */
export interface WriteContext {
  readonly module: GeneratedModule
  /** The name of a component in this file, which imports it. */
  getName(component: Component): string
  /** Components that are declared later. */
  readonly later: ReadonlySet<Component>
}

const OPTION_ORDER = ['required', 'nullable', 'min', 'max', 'pattern', 'format', 'values', 'types', 'delimiter']

/** Writes an attribute. */
export function buildAttribute(node: AttributeNode, site: WriteContext): Code {
  const { module } = site
  const options = buildOptions(node.kind === 'ref' ? getReferenceOptions(node, site) : node.options, site)
  const given = options === undefined ? [] : [options]
  if (node.kind === 'ref') return buildReference(node.component, options, site)
  const t = module.importName('t')
  if (node.kind === 'object') return buildCall(`${t}.object`, buildAttributeObject(node.attributes, site), ...given)
  if (node.kind === 'union') {
    const variants = [...node.variants].map(([tag, one]) => [tag, buildAttributeObject(one, site)] as const)
    return buildCall(`${t}.union`, buildRaw(quoteLiteral(node.discriminator)), buildObject(variants), ...given)
  }
  if ('of' in node) return buildCall(`${t}.${node.kind}`, buildAttribute(node.of, site), ...given)
  return buildCall(`${t}.${node.kind}`, ...given)
}

/** Writes attributes by their names. */
export const buildAttributeObject = (nodes: AttributeNodes, site: WriteContext): Code =>
  buildObject([...nodes].map(([name, one]) => [name, buildAttribute(one, site)] as const))

function buildReference(component: Component, options: Code | undefined, site: WriteContext): Code {
  const name = site.getName(component)
  const isLate = site.later.has(component)
  if (options === undefined && !isLate) return buildRaw(name)
  const target = isLate ? buildArrow(buildRaw(name)) : buildRaw(name)
  return buildCall(`${site.module.importName('t')}.ref`, target, ...(options === undefined ? [] : [options]))
}

// A reference that is looked up later has no options but its own, and a name for documents.
function getReferenceOptions(node: AttributeNode & { readonly component: Component }, { later }: WriteContext): NodeOptions {
  const { component } = node
  const nullable = isNullable(node) && (isMediaComponent(component) || later.has(component))
  const own = { ...node.options, ...(nullable && { nullable: true }) }
  return later.has(component) ? { ...own, name: component.name } : own
}

function buildOptions(options: NodeOptions, { module }: WriteContext): Code | undefined {
  const names = Object.keys(options).filter((name) => options[name] !== undefined)
  if (names.length === 0) return undefined
  const rank = (name: string): number => (OPTION_ORDER.indexOf(name) + OPTION_ORDER.length + 1) % (OPTION_ORDER.length + 1)
  const sorted = names.sort((a, b) => rank(a) - rank(b))
  return buildObject(sorted.map((name) => [name, buildOption(options[name], module)] as const))
}

function buildOption(value: unknown, module: GeneratedModule): Code {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRequirement)) return buildLiteral(value)
  return buildList(value.map((one) => buildCall(module.importName(one['~requires']), ...one.names.map((name) => buildLiteral(name)))))
}
