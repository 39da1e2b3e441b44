// The files of a new project: parts of `templates/project` laid over each other, as the choices want them, and a resource.
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectTemplates } from '../own-package.ts'
import { filled, type Values } from './fill.ts'
import { manifestText } from './manifest.ts'
import { namesOf } from './names.ts'
import { readmeValues } from './readme.ts'
import type { Texts } from './registration.ts'
import { addResource } from './resource.ts'
import { stackValues } from './resource-files.ts'
import { engines, type ProjectChoices, wordsOf } from './words.ts'

/** Makes all files of a project, by their paths. */
export function projectFiles(name: string, edict: string, chosen: ProjectChoices): Texts {
  const values = { ...projectValues(name, chosen), ...readmeValues(name, chosen) }
  const files: Texts = { 'package.json': manifestText(name, edict, chosen) }
  for (const part of partsOf(chosen)) Object.assign(files, partFiles(part, values))
  const { created, changed } = addResource(
    { read: (file) => files[file], list: () => [] },
    namesOf('book'),
    ['title:string', 'year:integer?'],
    chosen,
  )
  return Object.assign(files, created, changed)
}

/** The folders of the templates that make up a project; a file of a later one would replace that of an earlier one. */
export function partsOf({ database, orm, auth, docker, ci }: ProjectChoices): string[] {
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

function partFiles(part: string, values: Values): Texts {
  const folder = join(projectTemplates, part)
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    found.map((one) => {
      const file = join(one.parentPath, one.name)
      // The ending keeps npm from leaving files out, and tools from reading them as code.
      const path = relative(folder, file)
        .replaceAll('\\', '/')
        .replace(/\.txt$/, '')
      return [path, filled(file, values)]
    }),
  )
}

function projectValues(name: string, chosen: ProjectChoices): Values {
  const { database, orm, auth } = chosen
  const guarded = auth !== 'none'
  const migrating = orm === 'drizzle' ? ['await database.migrate()'] : []
  const client = orm === 'kysely' ? [] : ['', ...engines[database].closing]
  return {
    ...stackValues(chosen),
    ...wordsOf(chosen),
    name,
    url: engines[database].url(name),
    engine: engines[database].name,
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
