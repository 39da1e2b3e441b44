// `edict indexes`: shows the index that serves each possible list, and the statements that create missing indexes.
import { buildCommand, type Command } from '@stricli/core'
import type { IndexesReport } from '../../plugins/mapper/extend.ts'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { formatCreateStatements, formatIndexReport } from '../index-list.ts'
import { type ApplicationFlags, appFlag, loadApplication } from '../load-application.ts'
import { createPainter } from '../terminal/style.ts'

interface IndexesFlags extends ApplicationFlags {
  readonly json: boolean
  readonly sql: boolean
  readonly strict: boolean
  readonly filters: boolean
  readonly context?: object
  readonly most?: number
}

const createBooleanFlag = (brief: string) => ({ kind: 'boolean', default: false, withNegated: false, brief }) as const

/** The command that checks indexes. */
export const indexesCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Show which lists lack an index',
    fullDescription: formatDescription(
      `Reads the indexes from the databases of the application, and reports for every order, and every filter with it, whether
an index serves the list: nothing is sorted, and no other rows are read. Prints the statements that create what is missing.
Ends with 0 unless --strict is given and an index is missing.`,
      {
        'edict indexes': 'print a table and the missing indexes',
        'edict indexes --sql > indexes.sql': 'keep the statements that create them',
        'edict indexes --no-filters --strict': 'in CI, for the orders alone',
        [`edict indexes --context '{ "tenant": 7 }'`]: 'for scopes that need a caller',
      },
    ),
  },
  parameters: {
    flags: {
      app: appFlag,
      json: createBooleanFlag('Print the lists, the missing indexes and the lists left out as JSON'),
      sql: createBooleanFlag('Print only the statements that create missing indexes'),
      strict: createBooleanFlag('Exit with 1 if an index is missing'),
      filters: { kind: 'boolean', default: true, brief: 'Check filters with each order, not only the orders' },
      context: {
        kind: 'parsed',
        parse: parseContext,
        optional: true,
        placeholder: 'json',
        brief: 'The context for scopes; by default a placeholder with every property',
      },
      most: {
        kind: 'parsed',
        parse: parseCount,
        optional: true,
        placeholder: 'count',
        brief: 'The most lists of one action to check, by default 200',
      },
    },
  },
  func: printIndexes,
})

function parseContext(text: string): object {
  try {
    const context: unknown = JSON.parse(text)
    if (typeof context === 'object' && context !== null) return context
  } catch {}
  throw new SyntaxError('say an object as JSON, such as { "tenant": 7 }')
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new SyntaxError('say a whole number from 1 on')
}

async function printIndexes(this: CliContext, flags: IndexesFlags): Promise<void> {
  const { app, json, sql, strict, most, ...settings } = flags
  const application = await loadApplication({ ...(app !== undefined && { app }) }, this)
  const tool = application.tools?.['indexes']
  if (tool === undefined)
    throw new CommandError(
      'The application has no resources whose lists could be judged.',
      'name them to the mapper: plugins: [mapper({ resources: { books } })]',
    )
  const report = await runReport(() => tool({ ...settings, ...(most !== undefined && { maxLists: most }) }))
  const { stdout } = this.process
  if (json) stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else stdout.write(sql ? formatCreateStatements(report) : formatIndexReport(report, createPainter(stdout)))
  if (strict && report.missing.length > 0) this.process.exitCode = 1
}

async function runReport(run: () => unknown): Promise<IndexesReport> {
  try {
    return (await run()) as IndexesReport
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'MissingTableError') throw error
    throw new CommandError(error.message, 'create the tables first, or connect to a database that has them')
  }
}
