// SQL expressions of computed attributes: the datastore evaluates them as columns.
import { isThenable, type Report } from '../../../extend.ts'
import type { ColumnKind, Datastore, Derived } from '../../query/query.ts'
import { findCodec, unwrapJson } from './codec.ts'
import type { ColumnNode, ComputedNode, ModelNode, ModelNodes } from './model-nodes.ts'

interface ExpressionContext {
  readonly datastore: Datastore
  readonly report: Report
}

/** Replaces computed attributes that have an expression by columns; reports those that do not fit. */
export function withExpressions(nodes: ModelNodes, context: ExpressionContext): ModelNodes {
  if (![...nodes.values()].some((node) => node.type === 'computed' && node.expression !== undefined)) return nodes
  return new Map(
    [...nodes].map(([name, node]) => [
      name,
      node.type === 'computed' ? resolveExpression(name, node, nodes, context) : node,
    ]),
  )
}

const KINDS_BY_SCALAR: Readonly<Record<string, ColumnKind>> = {
  string: 'text',
  integer: 'integer',
  bigint: 'bigint',
  number: 'number',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'dateTime',
}

// A custom datastore may not support expressions: the attribute is then computed, and lists cannot name it.
function resolveExpression(
  name: string,
  node: ComputedNode,
  nodes: ModelNodes,
  { datastore, report }: ExpressionContext,
): ModelNode {
  const { attribute, needs, expression } = node
  if (expression === undefined || datastore.derive === undefined) return node
  const kind = KINDS_BY_SCALAR[unwrapJson(attribute).core.scalar ?? '']
  const columns = needs.flatMap((need) => {
    const needed = nodes.get(need)
    return needed?.type === 'column' ? [needed] : []
  })
  const codec = kind === undefined ? undefined : findCodec(attribute, kind)
  if (kind === undefined || codec === undefined)
    report(
      name,
      'an expression of SQL gives no such values',
      'declare it as a text, a number, a date or true and false',
    )
  else if (columns.length < needs.length)
    report(name, `its expression needs attributes that have columns of their own`, 'name such attributes')
  else {
    const column = datastore.derive(name, kind, buildDerived(name, needs, columns, { ...expression, codec }))
    return { type: 'column', attribute, column, codec }
  }
  return node
}

type ResolvedExpression = NonNullable<ComputedNode['expression']> & Pick<ColumnNode, 'codec'>

function buildDerived(
  name: string,
  needs: readonly string[],
  nodes: readonly ColumnNode[],
  { sql, run, codec }: ResolvedExpression,
): Derived {
  return {
    columns: nodes.map(({ column }) => column),
    sql: (written) => sql(Object.fromEntries(needs.map((need, i) => [need, written[i] as string]))),
    run(values) {
      const element = nodes.map(({ codec: nodeCodec }, i) => {
        const value = values[i]
        return [needs[i], value === null || value === undefined ? null : nodeCodec.fromColumn(value)]
      })
      const value = run(Object.fromEntries(element) as never)
      if (isThenable(value))
        throw new TypeError(`The attribute '${name}' has an expression: its function must not wait`)
      return value === null || value === undefined ? null : codec.toColumn(value)
    },
  }
}
