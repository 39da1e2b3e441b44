// Conflicts of writes: names the attributes of a conflict by their pointers, if the caller of the write has given them.
import { Refusal, type RefusedValue } from '../../../extend.ts'
import type { ColumnValues, Conflict, Datastore } from '../../query/query.ts'
import { codes } from '../codes.ts'
import type { Model } from '../model/model.ts'
import { getListedPointers } from './column-values.ts'
import { getKnownConflict } from './scope-check.ts'

/** A write whose conflicts are named. */
export interface NamedWrite {
  readonly datastore: Datastore
  readonly model: Model
  /** The rows or changes that are written. */
  readonly rows: readonly ColumnValues[]
  /** Returns the values of a row as the caller gave them. */
  locate(row: number): LocatedValues
}

/** The values of an element, and its index among those of the call. */
interface LocatedValues {
  readonly values: unknown
  readonly path: string
  /** The attribute that the value is of, if it is no element. */
  readonly attribute?: string | undefined
}

/** Runs a write; a conflict is refused with the pointers of its attributes. */
export async function withNamedConflicts<V>(write: NamedWrite, work: () => Promise<V>): Promise<V> {
  try {
    return await work()
  } catch (error) {
    throw (await nameConflict(write, error)) ?? error
  }
}

async function nameConflict(write: NamedWrite, error: unknown): Promise<Refusal | undefined> {
  const conflict = await findConflict(write, error)
  if (conflict === undefined) return undefined
  const row = write.rows.length === 1 ? 0 : conflict.row
  if (row === undefined) return createConflictRefusal([], error)
  const refused = buildRefusedValues(conflict, write.model, write.locate(row))
  return createConflictRefusal(refused, getKnownConflict(error) === undefined ? error : undefined)
}

async function findConflict({ datastore, model, rows }: NamedWrite, error: unknown): Promise<Conflict | undefined> {
  const known = getKnownConflict(error)
  if (known !== undefined) return known
  if (datastore.classifyError(error) !== 'conflict') return undefined
  // A failure of this question must not hide the error of the write.
  return datastore.findConflict?.(error, model.table, rows).catch(() => undefined)
}

/** Returns the issues of the attributes of a conflict; attributes that were not sent are left out. */
function buildRefusedValues(
  { kind, columns }: Conflict,
  model: Model,
  { values, path, attribute }: LocatedValues,
): readonly RefusedValue[] {
  const pointers = getListedPointers(model, { value: values, path }, attribute)
  const sent = columns.flatMap((column) => {
    const pointer = pointers.get(column)
    return pointer === undefined ? [] : [pointer]
  })
  return sent.map((pointer): RefusedValue => {
    const value = readAt(values, pointer.slice(path.length))
    if (kind === 'reference') return { pointer, value, code: codes.issues['missing-reference'] }
    const others = sent.filter((one) => one !== pointer).map((one) => `'${one.slice(one.lastIndexOf('/') + 1)}'`)
    if (others.length === 0) return { pointer, value, code: codes.issues.taken }
    return { pointer, value, code: codes.issues['taken-together'], detail: { others: others.join(', ') } }
  })
}

/** Creates the refusal of a conflict. */
function createConflictRefusal(values: readonly RefusedValue[], cause?: unknown): Refusal {
  const { errors } = Refusal.ofPayload(values).problem
  const problem = { ...codes.failures.conflict, ...(values.length > 0 && errors !== undefined && { errors }) }
  return new Refusal(problem, cause === undefined ? {} : { cause })
}

/** Returns the value at a pointer. */
const readAt = (values: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value: unknown, step) => (value as Readonly<Record<string, unknown>> | undefined)?.[step], values)
