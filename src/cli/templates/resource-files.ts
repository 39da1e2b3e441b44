// The files of a generated resource, filled in from `templates/resource`: its design, its controller, its test, its table and
// its migration.
import { join } from 'node:path'
import { resourceTemplates } from '../own-package.ts'
import { declaration, type GivenAttribute } from './attributes.ts'
import { filled, type Values } from './fill.ts'
import type { Names } from './names.ts'
import type { Stack } from './stack.ts'
import { drizzleTable, drizzleWords, kyselyMigration, kyselyTable, plainMigration } from './tables.ts'

/** The design and the controller of a resource, by their paths in the project. */
export function resourceFiles(
  names: Names,
  attributes: readonly GivenAttribute[],
  stack: Stack,
): Record<string, string> {
  const values = { ...valuesOf(names, attributes), ...stackValues(stack) }
  return {
    [`src/design/${names.file}.ts`]: fill('design.ts', values),
    [`src/controllers/${names.file}.ts`]: fill('controller.ts', values),
  }
}

/** The test of a resource, by its path in the project. */
export function testFile(names: Names, attributes: readonly GivenAttribute[], stack: Stack): Record<string, string> {
  const values = { ...valuesOf(names, attributes), ...stackValues(stack) }
  return { [`test/${names.file}.test.ts`]: fill('test.ts', values) }
}

/** The file that maps media types to tables, before it has any. */
export const resourcesFile = ({ orm }: Stack): string => fill('resources.ts', tableTypes[orm])

/** The text that adds a table to the file of tables; none without an ORM. */
export function tableText(names: Names, attributes: readonly GivenAttribute[], { orm, database }: Stack): string {
  if (orm === 'none') return ''
  if (orm === 'kysely') return `\n${fill('kysely-table.ts', { ...names, ...kyselyTable(attributes, database) })}`
  return `\n${fill('drizzle-table.ts', { ...names, ...drizzleTable(names, attributes, database) })}`
}

/** The file of a migration that makes the table, by its path; drizzle-kit writes its own. */
export function migrationFile(
  names: Names,
  attributes: readonly GivenAttribute[],
  { orm, database }: Stack,
  number: string,
): Record<string, string> {
  if (orm === 'drizzle') return {}
  const path = `migrations/${number}_${names.table}`
  if (orm === 'kysely') {
    const values = { ...names, ...kyselyMigration(names, attributes, database) }
    return { [`${path}.ts`]: fill('kysely-migration.ts', values) }
  }
  return { [`${path}.sql`]: fill('plain-migration.sql', { ...names, ...plainMigration(names, attributes, database) }) }
}

/** The values of templates that depend on the stack alone. */
export function stackValues({ auth, tests, database }: Stack): Values {
  const guarded = auth !== 'none'
  const functions = 'import { afterEach, beforeEach, describe, it } from'
  return {
    ...drizzleWords[database],
    nodeTestImport: tests === 'node' ? [`${functions} 'node:test'`] : [],
    vitestImport: tests === 'vitest' ? [`${functions} 'vitest'`] : [],
    security: guarded ? ['actionDefaults: { security: Caller },'] : [],
    securityImport: guarded ? ["import { Caller } from './security.ts'"] : [],
    callerImport: guarded ? ["import { verifier } from './caller.ts'"] : [],
    verifierArgument: guarded ? ', verifier' : '',
  }
}

const tableTypes: Readonly<Record<Stack['orm'], Values>> = {
  drizzle: {
    tableType: 'Table',
    tableTypeImport: ["import type { Table } from 'drizzle-orm'"],
    tablesImport: ["import * as tables from './tables.ts'"],
  },
  kysely: {
    tableType: 'keyof Tables',
    tableTypeImport: [],
    tablesImport: ["import type { Tables } from './tables.ts'"],
  },
  none: { tableType: 'string', tableTypeImport: [], tablesImport: [] },
}

function valuesOf(names: Names, attributes: readonly GivenAttribute[]): Values {
  const first = attributes[0] as GivenAttribute
  const each = (line: (attribute: GivenAttribute) => string): string[] => attributes.map((one) => `${line(one)},`)
  const sample = (which: 0 | 1): string =>
    attributes.map(({ name, kind }) => `${name}: ${kind.values[which]}`).join(', ')
  const anOne = `${/^[aeiou]/.test(names.one) ? 'an' : 'a'} ${names.one}`
  return {
    ...names,
    anOne,
    AnOne: `A${anOne.slice(1)}`,
    first: first.name,
    wrong: first.kind.wrong,
    firstValues: sample(0),
    secondValues: sample(1),
    fields: ['id', ...attributes.map(({ name }) => name)].map((name) => `'${name}'`).join(', '),
    declarations: each((one) => `${one.name}: ${declaration(one)}`),
    filters: each(({ name, kind }) => `${name}: ${kind.type === 'string' ? '{ wildcards: true }' : '{}'}`),
    inherited: each(({ name }) => `${name}: inherit`),
    inheritedOptional: each(({ name, nullable }) => `${name}: inherit${nullable ? '' : '({ required: false })'}`),
  }
}

const fill = (template: string, values: Values): string => filled(join(resourceTemplates, `${template}.txt`), values)
