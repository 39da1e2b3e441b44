// Creates the files of a new project: layers of `templates/project` selected by the choices, and a first resource.
import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { projectTemplates } from '../own-package.ts'
import { addAccounts } from './accounts.ts'
import { addResource } from './add-resource.ts'
import { buildChoiceValues, databaseEngines, type ProjectChoices } from './choice-values.ts'
import { fillTemplateFile, type TemplateValues } from './fill-template.ts'
import { formatManifest } from './manifest.ts'
import { buildReadmeValues } from './readme.ts'
import type { FileTexts } from './registration.ts'
import { getStackValues } from './resource-files.ts'
import { deriveNames } from './resource-names.ts'
import { type Stack, takesVerifier } from './stack.ts'

/** Creates all files of a project, keyed by path. */
export function createProjectFiles(name: string, edict: string, choices: ProjectChoices): FileTexts {
  const values = { ...buildProjectValues(name, choices), ...buildReadmeValues(name, choices) }
  const files: FileTexts = { 'package.json': formatManifest(name, edict, choices) }
  for (const part of listParts(choices)) Object.assign(files, fillPart(part, values))
  const own = {
    read: (file: string) => files[file],
    list: (folder: string) => Object.keys(files).flatMap((file) => (dirname(file) === folder ? basename(file) : [])),
  }
  if (choices.auth === 'password') addAccounts(files, own, choices)
  const { created, changed } = addResource(own, deriveNames('book'), ['title:string', 'year:integer?'], choices)
  return Object.assign(files, created, changed)
}

/** Returns the template folders of a project; a file of a later folder replaces that of an earlier one. */
export function listParts({ database, orm, auth, docker, ci }: ProjectChoices): string[] {
  const migrations = `drizzle-${database}${auth === 'password' ? '-accounts' : ''}`
  const ormParts = orm === 'none' ? ['plain', `plain-${database}`] : [orm, ...(orm === 'drizzle' ? [migrations] : [])]
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
  const callerArgument = auth === 'password' ? 'app' : ''
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
    verifierImport: takesVerifier(auth) ? ["import { callerVerifier } from './verifier.ts'"] : [],
    verifierArgument: takesVerifier(auth) ? ', callerVerifier(process.env)' : '',
    verifierType: takesVerifier(auth) ? ', type Verifier' : '',
    verifierParameter: takesVerifier(auth) ? ', verifier: Verifier' : '',
    verifiers: isSecured ? [`verifiers: [${takesVerifier(auth) ? 'verifier' : 'tokenVerifier(resources)'}],`] : [],
    ...(auth === 'password' ? accountValues : emptyAccountValues),
    callerImport: isSecured ? ["import { credentials } from './caller.ts'"] : [],
    callerArgument,
    verifierCallerImport: isSecured ? [formatCallerImport(auth, 'credentials')] : [],
    wrongCredentialsImport: isSecured ? formatCallerImport(auth, 'wrongCredentials') : '',
    testVerifier: takesVerifier(auth) ? ', verifier' : '',
    principal: isSecured ? `principal: await credentials(${callerArgument}), ` : '',
    headersParameter: isSecured ? ', headers?: Record<string, string>' : '',
    sentHeaders: isSecured ? [`...(headers ?? (await credentials(${callerArgument}))),`] : [],
  }
}

const formatCallerImport = (auth: Stack['auth'], name: string): string =>
  `import { ${[name, ...(takesVerifier(auth) ? ['verifier'] : [])].sort().join(', ')} } from './caller.ts'`

const accountValues: TemplateValues = {
  limitImports: ["import { rateLimits } from 'edict/rate-limit'", "import { memoryStore } from 'edict/stores'"],
  accountsImport: ["import { accounts, tokens } from './controllers/accounts.ts'"],
  tokenVerifierImport: ["import { tokenVerifier } from './verifier.ts'"],
  accountControllers: ['accounts(resources),', 'tokens(resources),'],
  limitPlugin: [
    '// Counts attempts to log in, for this process; several share the limits through a store in Redis or PostgreSQL.',
    'rateLimits(memoryStore()),',
  ],
  leftOutReason: ['// Logging out would end the token that the check has.'],
  leftOut: "except: ['Tokens.remove'], ",
}

const emptyAccountValues: TemplateValues = Object.fromEntries(
  Object.entries(accountValues).map(([name, value]) => [name, typeof value === 'string' ? '' : []]),
)
