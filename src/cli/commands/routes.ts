// `edict routes`: prints the routing table, as text or as JSON.
import { buildCommand, type Command } from '@stricli/core'
import type { RouteRow } from '../../server/create-server.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { type ApplicationFlags, appFlag, loadApplication } from '../load-application.ts'
import { createPainter } from '../terminal/style.ts'
import { formatAlignedTable } from '../terminal/table.ts'

const ROUTE_COLUMNS = ['version', 'path', 'verb', 'resource', 'action', 'implementation'] as const

/** The command that prints the routing table. */
export const routesCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Print the routing table',
    fullDescription: formatDescription(
      `Prints every route of the application in the order of declaration; as JSON, names of routes included. The argument json
and the flag --json mean the same.`,
      {
        'edict routes': 'print a table',
        'edict routes --json --app examples/blog/app.ts': 'print JSON, for another application',
      },
    ),
  },
  parameters: {
    flags: {
      app: appFlag,
      json: { kind: 'boolean', default: false, withNegated: false, brief: 'Print the table as JSON' },
    },
    positional: {
      kind: 'tuple',
      parameters: [{ placeholder: 'json', optional: true, parse: parseFormat, brief: 'Print the table as JSON' }],
    },
  },
  func: printRoutes,
})

interface RoutesFlags extends ApplicationFlags {
  readonly json: boolean
}

async function printRoutes(this: CliContext, flags: RoutesFlags, json?: 'json'): Promise<void> {
  const rows = (await loadApplication(flags, this)).routes()
  const { stdout } = this.process
  const isJson = flags.json || json !== undefined
  stdout.write(isJson ? `${JSON.stringify(rows, null, 2)}\n` : formatRouteTable(rows, createPainter(stdout)))
}

function parseFormat(input: string): 'json' {
  if (input === 'json') return input
  throw new SyntaxError('say json, or nothing for a table')
}

function formatRouteTable(rows: readonly RouteRow[], colour: ReturnType<typeof createPainter>): string {
  const cells = rows.map((row) => ROUTE_COLUMNS.map((column) => row[column]))
  return formatAlignedTable(ROUTE_COLUMNS, cells, (text, column, isHeader) => {
    if (isHeader) return colour('bold', text)
    if (ROUTE_COLUMNS[column] === 'verb') return colour('cyan', text)
    return text === 'n/a' ? colour('dim', text) : text
  })
}
