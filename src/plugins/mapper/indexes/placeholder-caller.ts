// Placeholder callers: evaluates a scope for an unknown caller; values that it takes from the context become example values
// of the column.
import { attributeRules, ExampleSeed } from '../../../extend.ts'
import type { ColumnKind } from '../../query/query.ts'
import { SAMPLE_VALUES } from '../../query/sample-values.ts'
import type { Model, ModelNode, ModelNodes } from '../model/model.ts'
import { CallerBounds, type EvaluateScope } from '../plan/caller-bounds.ts'

/** Thrown if a scope cannot be evaluated without a caller. */
class UnknownCallerError extends Error {
  override readonly name = 'UnknownCallerError'
}

/** Creates the bounds of a caller with the given context, or of an unknown caller. */
export function createPlaceholderBounds(context: unknown): CallerBounds {
  return new CallerBounds(context, (scope, model) => {
    try {
      return context === undefined
        ? replaceUnknowns(scope(createUnknownValue() as never), model)
        : scope(context as never)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new UnknownCallerError(`the scope of ${model.mediaType.name} does not work without a caller (${reason})`)
    }
  })
}

const unknownValues = new WeakSet<object>()

/** Creates a value whose members and results are unknown values as well. */
function createUnknownValue(): object {
  const value: object = new Proxy(() => {}, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => 1
      return name === 'then' ? undefined : createUnknownValue()
    },
    has: () => true,
    apply: createUnknownValue,
    construct: createUnknownValue,
  })
  unknownValues.add(value)
  return value
}

type ScopeResult = ReturnType<EvaluateScope>

function replaceUnknowns(result: ScopeResult, model: Model): ScopeResult {
  if (Array.isArray(result)) return result.map((one: unknown) => replaceUnknowns(one, model))
  if (!isConditions(result)) return result
  return Object.fromEntries(
    Object.entries(result).map(([field, value]) => [
      field,
      replaceUnknownValue(value, () => buildExampleValue(model, field)),
    ]),
  )
}

function replaceUnknownValue(value: unknown, createExample: () => unknown): unknown {
  if (typeof value !== 'object' && typeof value !== 'function') return value
  if (value === null || value instanceof Date) return value
  if (unknownValues.has(value)) return createExample()
  // A list stays a list of several values, also if the context is unknown.
  if (Array.isArray(value)) return [createExample(), createExample()]
  return Object.fromEntries(
    Object.entries(value).map(([op, operand]) => [op, replaceUnknownValue(operand, createExample)]),
  )
}

const isConditions = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !unknownValues.has(value)

/** Returns an example value of a field: an attribute by path, or a column that no attribute maps. */
function buildExampleValue(model: Model, path: string): unknown {
  const column = model.table.columns.get(path)
  const node = findNode(model.nodes, path.split('.'))
  if (node?.type === 'column') return attributeRules.makeExample(node.attribute, new ExampleSeed())
  if (column !== undefined) return getExampleOfKind(column.kind)
  const [step = '', ...rest] = path.split('.')
  const relation = model.nodes.get(step)
  const isRelation = relation?.type === 'one' || relation?.type === 'many'
  return isRelation && rest.length > 0 ? buildExampleValue(relation.target(), rest.join('.')) : 1
}

const getExampleOfKind = (kind: ColumnKind): unknown => SAMPLE_VALUES[kind] ?? 1

function findNode(nodes: ModelNodes, [step = '', ...rest]: readonly string[]): ModelNode | undefined {
  const node = nodes.get(step)
  if (rest.length === 0) return node
  return node?.type === 'struct' ? findNode(node.nodes, rest) : undefined
}
