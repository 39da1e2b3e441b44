// Independent judges of documents: validators of OpenAPI, and a validator of examples.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { validate as validate31 } from '@hyperjump/json-schema/openapi-3-1'
import { validate as validate32 } from '@hyperjump/json-schema/openapi-3-2'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenapiDocument } from '../../../src/openapi/types.ts'
import type { JsonSchema } from '../../../src/schema/json-schema.ts'
import { checkOf } from '../guard/schemas.ts'

const require = createRequire(import.meta.url)

/** Documents by the names of their files. */
export type Documents = Readonly<Record<string, OpenapiDocument>>

/**
 * All rules that Redocly recommends, as errors, but for three. `info-license`: an API need not have one.
 * `tag-description`: an endpoint need not be described, and nothing is made up for it. `no-ambiguous-paths`: a text comes before a capture, to OpenAPI as to our router, so that
 * `/authors/me` and `/authors/{id}` are not ambiguous.
 */
const RULES = {
  extends: ['recommended-strict'],
  rules: {
    'info-license': 'off',
    'tag-description': 'off',
    'no-ambiguous-paths': 'off',
    'no-invalid-media-type-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    'no-invalid-schema-examples': 'error',
    'no-identical-paths': 'error',
    'no-unused-components': 'error',
    'operation-operationId': 'error',
    'operation-parameters-unique': 'error',
    'path-parameters-defined': 'error',
  },
}

/** The problems that Redocly's linter finds in some documents, a line for each. */
export async function lint(documents: Documents): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'edict-documents-'))
  try {
    await writeFile(join(folder, 'redocly.yaml'), JSON.stringify(RULES))
    const names = Object.keys(documents).map((name) => `${name}.json`)
    for (const [name, document] of Object.entries(documents))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(document))
    const { stdout, stderr } = await redocly(folder, ['lint', '--format=json', '--max-problems=1000', ...names])
    // One object for each document.
    const results = stdout.slice(stdout.indexOf('{')).split(/(?<=^\})\s*(?=\{$)/m)
    if (results.length !== names.length) throw new Error(`Redocly said: ${stdout}${stderr}`)
    const problems = results.flatMap((text) => (JSON.parse(text) as { problems: readonly Problem[] }).problems)
    return problems.map(({ ruleId, message, location: [at] }) =>
      [ruleId, message, `${at?.source.ref.split('/').at(-1)}${at?.pointer}`].join(' | '),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Problem {
  readonly ruleId: string
  readonly message: string
  readonly location: readonly { readonly source: { readonly ref: string }; readonly pointer: string }[]
}

function redocly(cwd: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const home = dirname(require.resolve('@redocly/cli/package.json'))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(home, 'bin/cli.js'), ...args], { cwd, env })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', () => resolve({ stdout, stderr }))
  })
}

/** Whether a document is one of its version of OpenAPI, and every schema in it one of its dialect. */
export async function isOpenapi(document: OpenapiDocument): Promise<boolean> {
  const plain = JSON.parse(JSON.stringify(document))
  const { valid } = plain.openapi.startsWith('3.2')
    ? await validate32('https://spec.openapis.org/oas/3.2/schema-base', plain)
    : await validate31('https://spec.openapis.org/oas/3.1/schema-base', plain)
  return valid
}

/** The problems that another validator finds in a document: it brings the official schemas of every version. */
export async function check(document: OpenapiDocument): Promise<unknown> {
  const { valid, errors } = await new Validator({ strict: false }).validate(JSON.parse(JSON.stringify(document)))
  return valid ? [] : errors
}

/** Everything that is wrong with the examples and defaults of a document, and how many there are. */
export function examine(given: OpenapiDocument): { readonly problems: readonly string[]; readonly count: number } {
  const document = JSON.parse(JSON.stringify(given)) as OpenapiDocument
  const problems: string[] = []
  let count = 0
  const check = (pointer: string, schema: JsonSchema, value: unknown): void => {
    count++
    const problem = checkOf(document, schema)(value)
    if (problem !== undefined) problems.push(`${pointer}: ${JSON.stringify(value)} ${problem}`)
  }
  walk(document, '', (pointer, node) => {
    const { schema, example, examples, default: initial } = node
    if (schema !== undefined && example !== undefined) check(`${pointer}/schema`, schema as JsonSchema, example)
    if (Array.isArray(examples)) for (const one of examples) check(pointer, node, one)
    if (initial !== undefined && !pointer.endsWith('/responses')) check(pointer, node, initial)
  })
  return { problems, count }
}

const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

function walk(node: unknown, pointer: string, visit: (pointer: string, node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return
  // Names of attributes are no keywords.
  const named = /\/(?:properties|patternProperties|dependentRequired|schemas|encoding|mapping)$/.test(pointer)
  if (!Array.isArray(node) && !named) visit(pointer, node as Record<string, unknown>)
  for (const [name, one] of Object.entries(node)) {
    if (!named && DATA.has(name) && !pointer.endsWith('/responses')) continue
    walk(one, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, visit)
  }
}
