// Parses attributes of the command line, `title:string`, `born:date?` or `isbn:string:unique`, and defines their types in a
// media type, a table and a test.
import { CommandError } from '../command-error.ts'
import type { Database } from './stack.ts'

/** One attribute of a generated resource. */
export interface ResourceAttribute {
  readonly name: string
  readonly kind: ColumnKind
  /** Whether the attribute may be null and omitted. */
  readonly nullable: boolean
  /** Whether no two elements have the same value. */
  readonly unique: boolean
}

/** A kind of attribute, and the columns that store it. */
export interface ColumnKind {
  readonly type: string
  /** Options besides `required` and `nullable`. */
  readonly options?: string
  /** The column in Drizzle's schema. */
  readonly drizzle: Readonly<Record<Database, string>>
  /** The SQL type of the column. */
  readonly sql: Readonly<Record<Database, string>>
  /** The TypeScript type that the database client returns. */
  readonly read: Readonly<Record<Database, string>>
  /** Two valid values in ascending order; together with `wrong`, an invalid one, as source text. */
  readonly values: readonly [string, string]
  readonly wrong: string
}

const SAMPLE_DATE = '2024-02-29'

const createByDatabase = (
  sqlite: string,
  postgresql = sqlite,
  mariadb = postgresql,
): Readonly<Record<Database, string>> => ({
  sqlite,
  postgresql,
  mariadb,
})

const columnKinds: Readonly<Record<string, ColumnKind>> = {
  string: {
    type: 'string',
    options: 'min: 1, max: 200',
    drizzle: createByDatabase('t.text()', 't.text()', 't.varchar({ length: 200 })'),
    sql: createByDatabase('text', 'text', 'varchar(200)'),
    read: createByDatabase('string'),
    values: ["'A'", "'B'"],
    wrong: "''",
  },
  integer: {
    type: 'integer',
    drizzle: createByDatabase('t.integer()', "t.bigint({ mode: 'number' })"),
    sql: createByDatabase('integer', 'bigint'),
    read: createByDatabase('number'),
    values: ['1', '2'],
    wrong: "'many'",
  },
  number: {
    type: 'number',
    drizzle: createByDatabase('t.real()', 't.doublePrecision()', 't.double()'),
    sql: createByDatabase('real', 'double precision', 'double'),
    read: createByDatabase('number'),
    values: ['0.5', '1.5'],
    wrong: "'many'",
  },
  boolean: {
    type: 'boolean',
    drizzle: createByDatabase("t.integer({ mode: 'boolean' })", 't.boolean()'),
    sql: createByDatabase('boolean'),
    read: createByDatabase('number', 'boolean', 'number'),
    values: ['false', 'true'],
    wrong: "'perhaps'",
  },
  date: {
    type: 'date',
    drizzle: createByDatabase('t.text()', 't.date()', "t.date({ mode: 'string' })"),
    sql: createByDatabase('date'),
    read: createByDatabase('string'),
    values: [`'${SAMPLE_DATE}'`, "'2024-03-01'"],
    wrong: "'2023-02-29'",
  },
  dateTime: {
    type: 'dateTime',
    drizzle: createByDatabase(
      "t.integer({ mode: 'timestamp_ms' })",
      't.timestamp({ withTimezone: true })',
      't.datetime({ fsp: 3 })',
    ),
    sql: createByDatabase('datetime', 'timestamptz', 'datetime(3)'),
    read: createByDatabase('string', 'Date'),
    values: [`'${SAMPLE_DATE}T12:00:00.000Z'`, "'2024-03-01T12:00:00.000Z'"],
    wrong: "'noon'",
  },
}

/** The names of all kinds. */
export const kindNames: readonly string[] = Object.keys(columnKinds)

/** Parses attributes of the command line; defaults to a title. */
export function parseAttributes(definitions: readonly string[]): ResourceAttribute[] {
  const attributes = (definitions.length === 0 ? ['title:string'] : definitions).map(parseAttribute)
  const names = attributes.map(({ name }) => name)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined)
    throw new CommandError(`The attribute ${duplicate} is there twice.`, 'name each attribute once')
  return attributes
}

function parseAttribute(text: string): ResourceAttribute {
  const [, name = '', kindName = '', mark = '', flag] = /^([^:]*):?([^?:]*)(\??)(?::(.*))?$/.exec(text) ?? []
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new CommandError(`'${text}' is no attribute.`, 'write a name in snake case and its kind: published_on:date')
  }
  if (name === 'id') throw new CommandError('Every resource has an id already.', `leave ${text} out`)
  const kind = Object.hasOwn(columnKinds, kindName) ? columnKinds[kindName] : undefined
  if (kind === undefined) {
    throw new CommandError(
      `The attribute ${text} has no kind that is known.`,
      `write ${name}: and one of ${kindNames.join(', ')}`,
    )
  }
  if (flag !== undefined && flag !== 'unique') {
    const plain = `${name}:${kindName}${mark}`
    throw new CommandError(
      `The attribute ${text} has an unknown flag.`,
      `write ${plain}:unique, or ${plain} without one`,
    )
  }
  return { name, kind, nullable: mark === '?', unique: flag === 'unique' }
}

/** Formats the attribute for a media type. */
export function formatDeclaration({ kind, nullable }: ResourceAttribute): string {
  const options = [nullable ? 'nullable: true' : 'required: true', ...(kind.options ? [kind.options] : [])]
  return `t.${kind.type}({ ${options.join(', ')} })`
}
