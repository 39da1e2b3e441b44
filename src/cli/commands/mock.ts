// `edict mock`: serves an API before it is implemented, from its declarations.
import { buildCommand, type Command } from '@stricli/core'
import { serve } from '../../adapters/node/serve.ts'
import type { Application } from '../../application.ts'
import { collectEndpoints, describeMock, isApplication, type MockOptions, mock as mockOf } from '../../mock/mock.ts'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { type ApplicationFlags, appFlag, loadModule } from '../load-application.ts'

interface MockFlags extends ApplicationFlags {
  readonly port: number
  readonly host: string
  readonly rows: number
  readonly open: boolean
}

/** The command that serves a mock. */
export const mockCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Serve an API from its declarations alone',
    fullDescription: formatDescription(
      `Serves every action of an application, or of the endpoints that a file exports, without a controller. Lists can be
paged, ordered and filtered; what is sent is kept in memory until the end. Actions with security take any credentials.`,
      {
        'edict mock': 'serve the application on port 3001',
        'edict mock --app src/design.ts --rows 200': 'serve endpoints, with 200 elements of each media type',
        'edict mock --port 8080 --open': 'accept requests without credentials',
        'edict mock --host 0.0.0.0': 'let other machines in, too',
      },
    ),
  },
  parameters: {
    flags: {
      app: { ...appFlag, brief: 'The file that exports the application, or endpoints' },
      port: {
        kind: 'parsed',
        parse: parseWholeNumber,
        default: '3001',
        placeholder: 'port',
        brief: 'The port; 0 for a free one',
      },
      host: {
        kind: 'parsed',
        parse: String,
        default: '127.0.0.1',
        placeholder: 'address',
        brief: 'The address to listen on; by default only this machine can connect',
      },
      rows: {
        kind: 'parsed',
        parse: parseWholeNumber,
        default: '30',
        placeholder: 'count',
        brief: 'Elements of each media type',
      },
      open: { kind: 'boolean', default: false, withNegated: false, brief: 'Accept requests without credentials' },
    },
  },
  func: serveMock,
})

async function serveMock(this: CliContext, { app: file, port, host, rows, open }: MockFlags): Promise<void> {
  const app = await loadMock(file, { rows, auth: open ? 'open' : 'present' }, this)
  const { url } = await serve(app, { port, host })
  const count = app.routes().length
  const routes = `${count} ${count === 1 ? 'route' : 'routes'}`
  this.process.stdout.write(`The mock of ${app.title} listens on ${url}: ${routes}, ${rows} elements of each kind\n`)
  for (const { location, problem, remedy } of describeMock(app))
    this.process.stdout.write(`  ${location}: ${problem}. Remedy: ${remedy}.\n`)
  // A signal ends the process after the server has drained.
  await new Promise(() => {})
}

async function loadMock(app: string | undefined, options: MockOptions, context: CliContext): Promise<Application> {
  const { module, file } = await loadModule(app === undefined ? {} : { app }, context)
  const found = [module.app, module.default].find(isApplication)
  if (found !== undefined) return mockOf(found, options)
  if (collectEndpoints(module).length > 0) return mockOf(module, options)
  throw new CommandError(
    `${file} exports neither an application nor an endpoint.`,
    "write: export const Books = endpoint('Books', { … })",
  )
}

function parseWholeNumber(input: string): number {
  if (/^\d{1,9}$/.test(input)) return Number(input)
  throw new SyntaxError(`${input} is not a whole number`)
}
