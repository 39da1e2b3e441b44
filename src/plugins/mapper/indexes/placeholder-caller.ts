// Placeholder callers: a scope is asked for the conditions of any caller, and values that it takes from the context
// become some value of the column.
import { ExampleSeed } from '../../../extend.ts'
import { SAMPLE_VALUES } from '../../query/sample-values.ts'
import { type EvaluateScope, CallerBounds } from '../plan/caller-bounds.ts'
import type { ColumnKind } from '../../query/query.ts'
import type { Model, ModelNode, ModelNodes } from '../model/model.ts'

/** Thrown where a scope cannot be asked without a caller. */
class UnknownCallerError extends Error {
  override readonly name = 'UnknownCallerError'
}

/** The bounds of a caller that is only known by a context, or not at all. */
export function createPlaceholderBounds(context: unknown): CallerBounds {
  return new CallerBounds(context, (scope, model) => {
    try {
      return context === undefined ? replaceUnknowns(scope(createUnknownValue() as never), model) : scope(context as never)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new UnknownCallerError(`the scope of ${model.mediaType.name} does not work without a caller (${reason})`)
    }
  })
}

const unknownValues = new WeakSet<object>()

/** A value of which everything can be asked, with an answer of the same kind. */
function createUnknownValue(): object {
  const made: object = new Proxy(() => {}, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => 1
      return name === 'then' ? undefined : createUnknownValue()
    },
    has: () => true,
    apply: createUnknownValue,
    construct: createUnknownValue,
  })
  unknownValues.add(made)
  return made
}

type ScopeResult = ReturnType<EvaluateScope>

function replaceUnknowns(given: ScopeResult, model: Model): ScopeResult {
  if (Array.isArray(given)) return given.map((one: unknown) => replaceUnknowns(one, model))
  if (!isConditions(given)) return given
  return Object.fromEntries(
    Object.entries(given).map(([field, value]) => [field, replaceUnknownValue(value, () => buildExampleValue(model, field))]),
  )
}

function replaceUnknownValue(value: unknown, some: () => unknown): unknown {
  if (typeof value !== 'object' && typeof value !== 'function') return value
  if (value === null || value instanceof Date) return value
  if (unknownValues.has(value)) return some()
  // Several values stay several, also where the context has none to give.
  if (Array.isArray(value)) return [some(), some()]
  return Object.fromEntries(Object.entries(value).map(([op, operand]) => [op, replaceUnknownValue(operand, some)]))
}

const isConditions = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !unknownValues.has(value)

/** Some value of a field: an attribute by its path, or a column that no attribute shows. */
function buildExampleValue(model: Model, path: string): unknown {
  const column = model.table.columns.get(path)
  const node = findNode(model.nodes, path.split('.'))
  if (node?.type === 'column') return node.attribute.core.example(new ExampleSeed())
  if (column !== undefined) return getExampleOfKind(column.kind)
  const [step = '', ...rest] = path.split('.')
  const relation = model.nodes.get(step)
  const leads = relation?.type === 'one' || relation?.type === 'many'
  return leads && rest.length > 0 ? buildExampleValue(relation.target(), rest.join('.')) : 1
}

const getExampleOfKind = (kind: ColumnKind): unknown => SAMPLE_VALUES[kind] ?? 1

function findNode(nodes: ModelNodes, [step = '', ...rest]: readonly string[]): ModelNode | undefined {
  const node = nodes.get(step)
  if (rest.length === 0) return node
  return node?.type === 'struct' ? findNode(node.nodes, rest) : undefined
}
