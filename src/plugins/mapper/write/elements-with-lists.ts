// Elements with related lists: written in one transaction, the element first, so that its lists know its key.
import type { Column, ColumnValues, Datastore } from '../../query/query.ts'
import type { Model } from '../model/model.ts'
import type { Projection } from '../plan/query-plan.ts'
import { buildKeysFilter } from '../read/assembly.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import { readOwnValue } from './column-values.ts'
import type { ListChange, SplitValues } from './related-lists.ts'
import { splitLists } from './related-lists.ts'
import { planReturned, readWritten } from './write.ts'
import { selectRows, splitKeys, writeLists } from './write-lists.ts'

/** Runs work in a transaction of a datastore. */
export function runInTransaction<V>(
  { datastore, model }: ResourceSource,
  work: (within: Datastore) => Promise<V>,
): Promise<V> {
  if (datastore.transaction !== undefined) return datastore.transaction(work)
  throw new TypeError(
    `${model.mediaType.name} is written with a related list, and its datastore has no transactions. ` +
      'Remedy: give the datastore a method `transaction`, or write the related elements by themselves',
  )
}

/** Separates the related lists of several elements from their other values; undefined if none has any. */
export function splitAllLists(model: Model, list: readonly object[]): readonly SplitValues[] | undefined {
  let hasLists = false
  const all = list.map((values, i) => {
    const split = splitLists(model, values, `/${i}`)
    hasLists ||= split !== undefined
    return split ?? { plain: values, changes: [] }
  })
  return hasLists ? all : undefined
}

/** Writes the lists of elements that have just been written, which are found by their keys. */
export async function writeListsOf(
  source: ResourceSource,
  elements: readonly { readonly key: object; readonly changes: readonly ListChange[] }[],
  { isNew }: { readonly isNew: boolean },
): Promise<void> {
  const { datastore, model } = source
  const keyColumns = model.key.map(({ node }) => node.column)
  const keys = elements.map(({ key }) => toKeyColumns(model, key))
  const ours = elements.flatMap(({ changes }) => changes.flatMap(({ list }) => list.on.map(([column]) => column)))
  const columns = [...new Set<Column>([...keyColumns, ...ours])]
  const format = (values: ColumnValues): string =>
    JSON.stringify(keyColumns.map((column) => String(values.get(column))))
  const owners = new Map<string, ColumnValues>()
  // Mostly, lists refer to the key, which is known.
  if (columns.length === keyColumns.length) for (const key of keys) owners.set(format(key), key)
  else
    for (const part of splitKeys(datastore, keys, keyColumns.length)) {
      const filter = buildKeysFilter(
        keyColumns,
        part.map((key) => keyColumns.map((column) => key.get(column))),
      )
      for (const row of await selectRows(datastore, model.table, columns, filter)) {
        const values = new Map(columns.map((column, i) => [column, row[i]]))
        owners.set(format(values), values)
      }
    }
  const owned = elements.flatMap(({ changes }, i) => {
    const owner = owners.get(format(keys[i] as ColumnValues))
    return owner === undefined ? [] : [{ changes, owner, isNew }]
  })
  await writeLists(source, owned)
}

const toKeyColumns = ({ key }: Model, values: object): ColumnValues =>
  new Map(key.map(({ name, node }) => [node.column, node.codec.toColumn(readOwnValue(values, name))]))

/** Reads elements that have been written, by their keys and in their order. */
export function readByElementKeys(
  source: ResourceSource,
  keys: readonly object[],
  projection: Projection,
): Promise<AssembledElement[]> {
  const { model } = source
  return readWritten(
    source,
    planReturned(source, projection),
    keys.map((key) => [...toKeyColumns(model, key).values()]),
  )
}
