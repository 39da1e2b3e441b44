// `edict openapi`: prints the OpenAPI documents of the application, or writes them to files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { buildCommand, type Command } from '@stricli/core'
import { openapiVersions } from '../../openapi/document.ts'
import type { OpenapiDocument, OpenapiVersion } from '../../openapi/types.ts'
import type { Api } from '../../server/create-server.ts'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { type ApplicationFlags, appFlag, loadApplication } from '../load-application.ts'

const UNVERSIONED = 'unversioned'
const VERSION_PLACEHOLDER = '{version}'

interface OpenapiFlags extends ApplicationFlags {
  readonly version?: string
  readonly openapi: OpenapiVersion
  readonly out?: string
}

/** The command that prints OpenAPI documents. */
export const openapiCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Print the OpenAPI document',
    fullDescription: formatDescription(
      `Prints the OpenAPI document of the application as JSON. There is one for each version of the API, and one,
'${UNVERSIONED}', for endpoints without a version; several are printed as one object, by version.`,
      {
        'edict openapi': 'print the document, or all of them',
        'edict openapi --version 1.0': 'print the one of version 1.0',
        'edict openapi --openapi 3.2': 'describe streams by their elements, and QUERY',
        [`edict openapi --out openapi-${VERSION_PLACEHOLDER}.json`]: 'write a file for each version',
      },
    ),
  },
  parameters: {
    flags: {
      app: appFlag,
      version: {
        kind: 'parsed',
        parse: String,
        optional: true,
        placeholder: 'version',
        brief: `The version to describe, or ${UNVERSIONED}`,
      },
      openapi: {
        kind: 'enum',
        values: Object.keys(openapiVersions) as OpenapiVersion[],
        default: '3.1',
        brief: 'The version of OpenAPI to write',
      },
      out: {
        kind: 'parsed',
        parse: String,
        optional: true,
        placeholder: 'file',
        brief: `Write to this file instead; ${VERSION_PLACEHOLDER} in its name stands for the version`,
      },
    },
  },
  func: printOpenapi,
})

async function printOpenapi(this: CliContext, flags: OpenapiFlags): Promise<void> {
  const documents = selectDocuments(await loadApplication(flags, this), flags)
  const [first, ...others] = documents.values()
  if (flags.out !== undefined) writeDocuments(flags.out, documents, this)
  else this.process.stdout.write(formatJson(others.length === 0 ? first : Object.fromEntries(documents)))
}

function selectDocuments(app: Api, { version: requested, openapi }: OpenapiFlags): Map<string, OpenapiDocument> {
  const all = app.versions.map((version) => [version ?? UNVERSIONED, version] as const)
  const chosen = all.filter(([name]) => requested === undefined || name === requested)
  if (chosen.length > 0) return new Map(chosen.map(([name, version]) => [name, app.openapi(version, { openapi })]))
  const known = all.map(([name]) => name).join(', ')
  if (requested === undefined || known === '') {
    throw new CommandError('The application has nothing to describe.', 'remove nodoc from an endpoint or an action')
  }
  throw new CommandError(`There is no version ${requested} of the application.`, `say --version with one of ${known}`)
}

function writeDocuments(out: string, documents: ReadonlyMap<string, OpenapiDocument>, { process, cwd }: CliContext) {
  if (documents.size > 1 && !out.includes(VERSION_PLACEHOLDER)) {
    const remedy = `choose one with --version, or write several files: --out openapi-${VERSION_PLACEHOLDER}.json`
    throw new CommandError(
      `A file holds one document, and there are ${documents.size}: ${[...documents.keys()].join(', ')}.`,
      remedy,
    )
  }
  for (const [version, document] of documents) {
    const file = resolve(cwd, out.replaceAll(VERSION_PLACEHOLDER, version))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, formatJson(document))
    process.stderr.write(`Wrote ${file}\n`)
  }
}

const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
