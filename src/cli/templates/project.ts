// The files of a new project: parts of `templates/project` laid over each other, as the choices want them, and a resource.
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectTemplates } from '../own-package.ts'
import { fillTemplateFile, type TemplateValues } from './fill-template.ts'
import { formatManifest } from './manifest.ts'
import { deriveNames } from './resource-names.ts'
import { buildReadmeValues } from './readme.ts'
import type { FileTexts } from './registration.ts'
import { addResource } from './add-resource.ts'
import { getStackValues } from './resource-files.ts'
import { databaseEngines, type ProjectChoices, buildChoiceValues } from './choice-values.ts'

/** Makes all files of a project, by their paths. */
export function createProjectFiles(name: string, edict: string, chosen: ProjectChoices): FileTexts {
  const values = { ...buildProjectValues(name, chosen), ...buildReadmeValues(name, chosen) }
  const files: FileTexts = { 'package.json': formatManifest(name, edict, chosen) }
  for (const part of listParts(chosen)) Object.assign(files, fillPart(part, values))
  const { created, changed } = addResource(
    { read: (file) => files[file], list: () => [] },
    deriveNames('book'),
    ['title:string', 'year:integer?'],
    chosen,
  )
  return Object.assign(files, created, changed)
}

/** The folders of the templates that make up a project; a file of a later one would replace that of an earlier one. */
export function listParts({ database, orm, auth, docker, ci }: ProjectChoices): string[] {
  const plain =
    orm === 'none' ? ['plain', `plain-${database}`] : [orm, ...(orm === 'drizzle' ? [`drizzle-${database}`] : [])]
  return [
    'base',
    ...plain,
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
      // The ending keeps npm from leaving files out, and tools from reading them as code.
      const path = relative(folder, file)
        .replaceAll('\\', '/')
        .replace(/\.txt$/, '')
      return [path, fillTemplateFile(file, values)]
    }),
  )
}

function buildProjectValues(name: string, chosen: ProjectChoices): TemplateValues {
  const { database, orm, auth } = chosen
  const guarded = auth !== 'none'
  const migrating = orm === 'drizzle' ? ['await database.migrate()'] : []
  const client = orm === 'kysely' ? [] : ['', ...databaseEngines[database].closing]
  return {
    ...getStackValues(chosen),
    ...buildChoiceValues(chosen),
    name,
    url: databaseEngines[database].url(name),
    engine: databaseEngines[database].name,
    databaseName: name.replaceAll(/[^a-z0-9]/g, '_'),
    included: orm === 'kysely' ? '"src", "test", "migrations"' : '"src", "test"',
    migrating,
    migratingTest: migrating,
    closing: client,
    verifierImport: guarded ? ["import { callerVerifier } from './verifier.ts'"] : [],
    verifierArgument: guarded ? ', callerVerifier(process.env)' : '',
    verifierType: guarded ? ', type Verifier' : '',
    verifierParameter: guarded ? ', verifier: Verifier' : '',
    verifiers: guarded ? ['verifiers: [verifier],'] : [],
    callerImport: guarded ? ["import { credentials } from './caller.ts'"] : [],
    verifierCallerImport: guarded ? ["import { credentials, verifier } from './caller.ts'"] : [],
    testVerifier: guarded ? ', verifier' : '',
    principal: guarded ? 'principal: await credentials(), ' : '',
    headersParameter: guarded ? ', headers?: Record<string, string>' : '',
    sentHeaders: guarded ? ['...(headers ?? (await credentials())),'] : [],
  }
}
