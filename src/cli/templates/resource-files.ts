// The files of a generated resource, filled in from `templates/resource`: its design, its controller, its test, its table and
// its migration.
import { join } from 'node:path'
import { resourceTemplates } from '../own-package.ts'
import { formatDeclaration, type ResourceAttribute } from './attributes.ts'
import { fillTemplateFile, type TemplateValues } from './fill-template.ts'
import type { ResourceNames } from './resource-names.ts'
import type { Stack } from './stack.ts'
import { buildDrizzleTable, drizzleTableValues, buildKyselyMigration, buildKyselyTable, buildSqlMigration } from './tables.ts'

/** The design and the controller of a resource, by their paths in the project. */
export function createResourceFiles(
  names: ResourceNames,
  attributes: readonly ResourceAttribute[],
  stack: Stack,
): Record<string, string> {
  const values = { ...buildResourceValues(names, attributes), ...getStackValues(stack) }
  return {
    [`src/design/${names.file}.ts`]: fillResourceTemplate('design.ts', values),
    [`src/controllers/${names.file}.ts`]: fillResourceTemplate('controller.ts', values),
  }
}

/** The test of a resource, by its path in the project. */
export function createTestFile(names: ResourceNames, attributes: readonly ResourceAttribute[], stack: Stack): Record<string, string> {
  const values = { ...buildResourceValues(names, attributes), ...getStackValues(stack) }
  return { [`test/${names.file}.test.ts`]: fillResourceTemplate('test.ts', values) }
}

/** The file that maps media types to tables, before it has any. */
export const createResourcesFile = ({ orm }: Stack): string => fillResourceTemplate('resources.ts', tableTypes[orm])

/** The text that adds a table to the file of tables; none without an ORM. */
export function createTableText(names: ResourceNames, attributes: readonly ResourceAttribute[], { orm, database }: Stack): string {
  if (orm === 'none') return ''
  if (orm === 'kysely') return `\n${fillResourceTemplate('kysely-table.ts', { ...names, ...buildKyselyTable(attributes, database) })}`
  return `\n${fillResourceTemplate('drizzle-table.ts', { ...names, ...buildDrizzleTable(names, attributes, database) })}`
}

/** The file of a migration that makes the table, by its path; drizzle-kit writes its own. */
export function createMigrationFile(
  names: ResourceNames,
  attributes: readonly ResourceAttribute[],
  { orm, database }: Stack,
  number: string,
): Record<string, string> {
  if (orm === 'drizzle') return {}
  const path = `migrations/${number}_${names.table}`
  if (orm === 'kysely') {
    const values = { ...names, ...buildKyselyMigration(names, attributes, database) }
    return { [`${path}.ts`]: fillResourceTemplate('kysely-migration.ts', values) }
  }
  return { [`${path}.sql`]: fillResourceTemplate('plain-migration.sql', { ...names, ...buildSqlMigration(names, attributes, database) }) }
}

/** The values of templates that depend on the stack alone. */
export function getStackValues({ auth, tests, database }: Stack): TemplateValues {
  const guarded = auth !== 'none'
  const functions = 'import { afterEach, beforeEach, describe, it } from'
  return {
    ...drizzleTableValues[database],
    nodeTestImport: tests === 'node' ? [`${functions} 'node:test'`] : [],
    vitestImport: tests === 'vitest' ? [`${functions} 'vitest'`] : [],
    security: guarded ? ['actionDefaults: { security: Caller },'] : [],
    securityImport: guarded ? ["import { Caller } from './security.ts'"] : [],
    callerImport: guarded ? ["import { verifier } from './caller.ts'"] : [],
    verifierArgument: guarded ? ', verifier' : '',
  }
}

const tableTypes: Readonly<Record<Stack['orm'], TemplateValues>> = {
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

function buildResourceValues(names: ResourceNames, attributes: readonly ResourceAttribute[]): TemplateValues {
  const first = attributes[0] as ResourceAttribute
  const each = (line: (attribute: ResourceAttribute) => string): string[] => attributes.map((one) => `${line(one)},`)
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
    declarations: each((one) => `${one.name}: ${formatDeclaration(one)}`),
    filters: each(({ name, kind }) => `${name}: ${kind.type === 'string' ? '{ wildcards: true }' : '{}'}`),
    inherited: each(({ name }) => `${name}: inherit`),
    inheritedOptional: each(({ name, nullable }) => `${name}: inherit${nullable ? '' : '({ required: false })'}`),
  }
}

const fillResourceTemplate = (template: string, values: TemplateValues): string => fillTemplateFile(join(resourceTemplates, `${template}.txt`), values)
