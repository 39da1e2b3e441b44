// Creates the files of a new project: layers of `templates/project` selected by the choices, and a first resource.
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectTemplates } from '../own-package.ts'
import { addResource } from './add-resource.ts'
import { buildChoiceValues, databaseEngines, type ProjectChoices } from './choice-values.ts'
import { fillTemplateFile, type TemplateValues } from './fill-template.ts'
import { formatManifest } from './manifest.ts'
import { buildReadmeValues } from './readme.ts'
import type { FileTexts } from './registration.ts'
import { getStackValues } from './resource-files.ts'
import { deriveNames } from './resource-names.ts'

/** Creates all files of a project, keyed by path. */
export function createProjectFiles(name: string, edict: string, choices: ProjectChoices): FileTexts {
  const values = { ...buildProjectValues(name, choices), ...buildReadmeValues(name, choices) }
  const files: FileTexts = { 'package.json': formatManifest(name, edict, choices) }
  for (const part of listParts(choices)) Object.assign(files, fillPart(part, values))
  const { created, changed } = addResource(
    { read: (file) => files[file], list: () => [] },
    deriveNames('book'),
    ['title:string', 'year:integer?'],
    choices,
  )
  return Object.assign(files, created, changed)
}

/** Returns the template folders of a project; a file of a later folder replaces that of an earlier one. */
export function listParts({ database, orm, auth, docker, ci }: ProjectChoices): string[] {
  const ormParts =
    orm === 'none' ? ['plain', `plain-${database}`] : [orm, ...(orm === 'drizzle' ? [`drizzle-${database}`] : [])]
  return [
    'base',
    ...ormParts,
    database,
    ...(database === 'sqlite' ? [orm === 'drizzle' ? 'libsql-client' : 'libsql'] : []),
    ...(auth === 'none' ? [] : ['auth', auth]),
    ...(docker ? ['docker', `docker-${database}`] : []),
    ...(ci ? ['ci'] : []),
  ]
}

function fillPart(part: string, values: TemplateValues): FileTexts {
  const folder = join(projectTemplates, part)
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    found.map((one) => {
      const file = join(one.parentPath, one.name)
      // The extension .txt prevents npm from omitting files, and tools from reading them as code.
      const path = relative(folder, file)
        .replaceAll('\\', '/')
        .replace(/\.txt$/, '')
      return [path, fillTemplateFile(file, values)]
    }),
  )
}

function buildProjectValues(name: string, choices: ProjectChoices): TemplateValues {
  const { database, orm, auth } = choices
  const isSecured = auth !== 'none'
  const migrateLines = orm === 'drizzle' ? ['await database.migrate()'] : []
  const closeLines = orm === 'kysely' ? [] : ['', ...databaseEngines[database].closing]
  return {
    ...getStackValues(choices),
    ...buildChoiceValues(choices),
    name,
    url: databaseEngines[database].url(name),
    engine: databaseEngines[database].name,
    databaseName: name.replaceAll(/[^a-z0-9]/g, '_'),
    included: orm === 'kysely' ? '"src", "test", "migrations"' : '"src", "test"',
    migrating: migrateLines,
    migratingTest: migrateLines,
    closing: closeLines,
    verifierImport: isSecured ? ["import { callerVerifier } from './verifier.ts'"] : [],
    verifierArgument: isSecured ? ', callerVerifier(process.env)' : '',
    verifierType: isSecured ? ', type Verifier' : '',
    verifierParameter: isSecured ? ', verifier: Verifier' : '',
    verifiers: isSecured ? ['verifiers: [verifier],'] : [],
    callerImport: isSecured ? ["import { credentials } from './caller.ts'"] : [],
    verifierCallerImport: isSecured ? ["import { credentials, verifier } from './caller.ts'"] : [],
    testVerifier: isSecured ? ', verifier' : '',
    principal: isSecured ? 'principal: await credentials(), ' : '',
    headersParameter: isSecured ? ', headers?: Record<string, string>' : '',
    sentHeaders: isSecured ? ['...(headers ?? (await credentials())),'] : [],
  }
}
