// `edict import`: writes declarations and stubs from an OpenAPI document.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { resolveFileArgument } from '../find-file.ts'
import { formatDescription } from '../help.ts'
import { type ImportedFiles, importDocument } from '../import/import.ts'
import { withProgress } from '../terminal/progress.ts'
import { createPainter } from '../terminal/style.ts'

interface ImportFlags {
  readonly out: string
  readonly force: boolean
}

/** The command that imports a document. */
export const importCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Write declarations from an OpenAPI document',
    fullDescription: formatDescription(
      `Writes an application from a document of OpenAPI 3.0 or 3.1, in JSON or YAML: media types, endpoints, security
schemes, and controllers whose actions respond with 501 until they are written. What declarations cannot say is printed, and listed
with its location in IMPORT.md. Files that exist are kept unless --force is given.`,
      {
        'edict import openapi.yml': 'into the folder src',
        'edict import openapi.json --out packages/api/src': 'elsewhere',
      },
    ),
  },
  parameters: {
    flags: {
      out: {
        kind: 'parsed',
        parse: String,
        default: 'src',
        placeholder: 'folder',
        brief: 'The folder to write into',
      },
      force: { kind: 'boolean', default: false, withNegated: false, brief: 'Overwrite files that exist' },
    },
    positional: {
      kind: 'tuple',
      parameters: [{ placeholder: 'file', parse: String, brief: 'The OpenAPI document, JSON or YAML' }],
    },
  },
  func: runImport,
})

async function runImport(this: CliContext, { out, force }: ImportFlags, argument: string): Promise<void> {
  const { stdout, stderr } = this.process
  const file = resolveFileArgument(argument, this.cwd, 'the name of the document')
  const imported = await withProgress(stderr, `Reading ${argument}`, () => importDocument(file, this.cwd, argument))
  const folder = resolve(this.cwd, out)
  const paths = [...imported.files.keys()]
  const existing = paths.filter((path) => existsSync(join(folder, path)))
  if (existing.length > 0 && !force)
    throw new CommandError(
      `${folder} has ${existing.slice(0, 3).join(', ')}${existing.length > 3 ? ` and ${existing.length - 3} more` : ''} already.`,
      'write into another folder with --out, or overwrite these files with --force',
    )
  for (const [path, content] of imported.files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  stdout.write(formatSummary(imported, relative(this.cwd, folder) || '.', createPainter(stdout)))
}

function formatSummary(
  { files, unsupported, actions }: ImportedFiles,
  folder: string,
  colour: ReturnType<typeof createPainter>,
): string {
  const groups = new Map<string, number>()
  for (const { what, instead } of unsupported) {
    const line = stripControls(`${what}: ${instead}`)
    groups.set(line, (groups.get(line) ?? 0) + 1)
  }
  const lines = [...groups].map(([line, count]) => `  ${String(count).padStart(4)} × ${line}\n`)
  const lost =
    lines.length === 0
      ? ''
      : `\nNot carried over, with every location in ${join(folder, 'IMPORT.md')}:\n${lines.join('')}`
  const head = colour('green', `Wrote ${files.size} files to ${folder}: ${actions} actions.`)
  return `${head}\n${lost}\nGo on with:\n  ${colour('bold', `npx edict check --app ${join(folder, 'app.ts')}`)}\n`
}

// Strip control characters: text of the document must not move the cursor.
const stripControls = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')
