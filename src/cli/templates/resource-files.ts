// Creates the files of a generated resource from `templates/resource`: its design, controller, test, table and migration.
import { join } from 'node:path'
import { resourceTemplates } from '../own-package.ts'
import { formatDeclaration, type ResourceAttribute } from './attributes.ts'
import { fillTemplateFile, type TemplateValues } from './fill-template.ts'
import type { ResourceNames } from './resource-names.ts'
import { type Stack, takesVerifier } from './stack.ts'
import {
  buildDrizzleTable,
  buildKyselyMigration,
  buildKyselyTable,
  buildSqlMigration,
  drizzleTableValues,
  type GeneratedTable,
} from './tables.ts'

/** Creates the design and the controller of a resource, keyed by path. */
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

/** Creates the test of a resource, keyed by path. */
export function createTestFile(
  names: ResourceNames,
  attributes: readonly ResourceAttribute[],
  stack: Stack,
): Record<string, string> {
  const values = { ...buildResourceValues(names, attributes), ...getStackValues(stack) }
  return { [`test/${names.file}.test.ts`]: fillResourceTemplate('test.ts', values) }
}

/** Creates the file that maps media types to tables, without entries. */
export const createResourcesFile = ({ orm }: Stack): string => fillResourceTemplate('resources.ts', tableTypes[orm])

/** Creates the text that adds a table to the file of tables; empty without an ORM. */
export function createTableText(table: GeneratedTable, { orm, database }: Stack): string {
  if (orm === 'none') return ''
  if (orm === 'kysely') return `\n${fillResourceTemplate('kysely-table.ts', buildKyselyTable(table, database))}`
  return `\n${fillResourceTemplate('drizzle-table.ts', buildDrizzleTable(table, database))}`
}

/** Creates the migration file of a table, keyed by path; empty for Drizzle, since drizzle-kit generates its own. */
export function createMigrationFile(
  table: GeneratedTable,
  { orm, database }: Stack,
  number: string,
): Record<string, string> {
  if (orm === 'drizzle') return {}
  const path = `migrations/${number}_${table.names.table}`
  return orm === 'kysely'
    ? { [`${path}.ts`]: fillResourceTemplate('kysely-migration.ts', buildKyselyMigration(table, database)) }
    : { [`${path}.sql`]: fillResourceTemplate('plain-migration.sql', buildSqlMigration(table, database)) }
}

/** Returns the template values that depend only on the stack. */
export function getStackValues({ auth, tests, database }: Stack): TemplateValues {
  const isSecured = auth !== 'none'
  const functions = 'import { afterEach, beforeEach, describe, it } from'
  return {
    ...drizzleTableValues[database],
    nodeTestImport: tests === 'node' ? [`${functions} 'node:test'`] : [],
    vitestImport: tests === 'vitest' ? [`${functions} 'vitest'`] : [],
    security: isSecured ? ['actionDefaults: { security: Caller },'] : [],
    securityImport: isSecured ? ["import { Caller } from './security.ts'"] : [],
    callerImport: takesVerifier(auth) ? ["import { verifier } from './caller.ts'"] : [],
    verifierArgument: takesVerifier(auth) ? ', verifier' : '',
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
  const formatLines = (formatLine: (attribute: ResourceAttribute) => string): string[] =>
    attributes.map((one) => `${formatLine(one)},`)
  const formatSample = (index: 0 | 1): string =>
    attributes.map(({ name, kind }) => `${name}: ${kind.values[index]}`).join(', ')
  const withArticle = `${/^[aeiou]/.test(names.one) ? 'an' : 'a'} ${names.one}`
  return {
    ...names,
    anOne: withArticle,
    AnOne: `A${withArticle.slice(1)}`,
    first: first.name,
    wrong: first.kind.wrong,
    firstValues: formatSample(0),
    secondValues: formatSample(1),
    fields: ['id', ...attributes.map(({ name }) => name)].map((name) => `'${name}'`).join(', '),
    declarations: formatLines((one) => `${one.name}: ${formatDeclaration(one)}`),
    filters: formatLines(({ name, kind }) => `${name}: ${kind.type === 'string' ? '{ wildcards: true }' : '{}'}`),
    uniqueTests: attributes.filter(({ unique }) => unique).flatMap(({ name }) => formatUniqueTest(names, name)),
    inherited: formatLines(({ name }) => `${name}: inherit`),
    inheritedOptional: formatLines(
      ({ name, nullable }) => `${name}: inherit${nullable ? '' : '({ required: false })'}`,
    ),
  }
}

const formatUniqueTest = ({ many, table }: ResourceNames, name: string): string[] => [
  '',
  `it('has no two ${many} of one ${name}', async () => {`,
  `  assert.equal((await ask(app, 'POST /${table}', first)).status, 201)`,
  `  assert.equal((await ask(app, 'POST /${table}', { ...second, ${name}: first.${name} })).status, 409)`,
  '})',
]

const fillResourceTemplate = (template: string, values: TemplateValues): string =>
  fillTemplateFile(join(resourceTemplates, `${template}.txt`), values)
