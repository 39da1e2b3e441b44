// Builds the code of attributes.
import { isRequirement } from '../../../schema/requirements.ts'
import {
  type AttributeNode,
  type AttributeNodes,
  type Component,
  isMediaComponent,
  isNullable,
  type NodeOptions,
} from '../schemas/attribute-node.ts'
import {
  buildArrow,
  buildCall,
  buildList,
  buildLiteral,
  buildObject,
  buildRaw,
  type Code,
  quoteLiteral,
} from './code.ts'
import type { GeneratedModule } from './generated-module.ts'

/** The context of a generated file. */
export interface WriteContext {
  readonly module: GeneratedModule
  /** Returns the name of a component in this file, and imports it. */
  getName(component: Component): string
  /** Components that are declared later in the file. */
  readonly later: ReadonlySet<Component>
}

const OPTION_ORDER = ['required', 'nullable', 'min', 'max', 'pattern', 'format', 'values', 'types', 'delimiter']

/** Builds the code of an attribute. */
export function buildAttribute(node: AttributeNode, context: WriteContext): Code {
  const { module } = context
  const options = buildOptions(node.kind === 'ref' ? getReferenceOptions(node, context) : node.options, context)
  const optionArgs = options === undefined ? [] : [options]
  if (node.kind === 'ref') return buildReference(node.component, options, context)
  const t = module.importName('t')
  if (node.kind === 'object')
    return buildCall(`${t}.object`, buildAttributeObject(node.attributes, context), ...optionArgs)
  if (node.kind === 'union') {
    const variants = [...node.variants].map(([tag, one]) => [tag, buildAttributeObject(one, context)] as const)
    return buildCall(`${t}.union`, buildRaw(quoteLiteral(node.discriminator)), buildObject(variants), ...optionArgs)
  }
  if ('of' in node) return buildCall(`${t}.${node.kind}`, buildAttribute(node.of, context), ...optionArgs)
  return buildCall(`${t}.${node.kind}`, ...optionArgs)
}

/** Builds the code of an object of attributes. */
export const buildAttributeObject = (nodes: AttributeNodes, context: WriteContext): Code =>
  buildObject([...nodes].map(([name, one]) => [name, buildAttribute(one, context)] as const))

function buildReference(component: Component, options: Code | undefined, context: WriteContext): Code {
  const name = context.getName(component)
  const isLate = context.later.has(component)
  if (options === undefined && !isLate) return buildRaw(name)
  const target = isLate ? buildArrow(buildRaw(name)) : buildRaw(name)
  return buildCall(`${context.module.importName('t')}.ref`, target, ...(options === undefined ? [] : [options]))
}

// A lazy reference has only its own options, and a name for documents.
function getReferenceOptions(
  node: AttributeNode & { readonly component: Component },
  { later }: WriteContext,
): NodeOptions {
  const { component } = node
  const nullable = isNullable(node) && (isMediaComponent(component) || later.has(component))
  const own = { ...node.options, ...(nullable && { nullable: true }) }
  return later.has(component) ? { ...own, name: component.name } : own
}

function buildOptions(options: NodeOptions, { module }: WriteContext): Code | undefined {
  const names = Object.keys(options).filter((name) => options[name] !== undefined)
  if (names.length === 0) return undefined
  const getRank = (name: string): number =>
    (OPTION_ORDER.indexOf(name) + OPTION_ORDER.length + 1) % (OPTION_ORDER.length + 1)
  const sorted = names.sort((a, b) => getRank(a) - getRank(b))
  return buildObject(sorted.map((name) => [name, buildOption(options[name], module)] as const))
}

function buildOption(value: unknown, module: GeneratedModule): Code {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRequirement)) return buildLiteral(value)
  return buildList(
    value.map((one) => buildCall(module.importName(one['~requires']), ...one.names.map((name) => buildLiteral(name)))),
  )
}
