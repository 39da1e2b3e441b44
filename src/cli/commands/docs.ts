// `edict docs`: writes the documentation of the application to files, or serves it on a port.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, resolve } from 'node:path'
import { buildCommand, buildRouteMap, type Command, type RouteMap } from '@stricli/core'
import { type StaticDocsOptions, type StaticFile, staticDocs } from '../../plugins/docs/index.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { type ApplicationFlags, appFlag, loadApplication } from '../load-application.ts'
import { withProgress } from '../terminal/progress.ts'

interface DocsFlags extends ApplicationFlags {
  readonly server?: string
}

const serverFlag = {
  kind: 'parsed',
  parse: String,
  optional: true,
  placeholder: 'address',
  brief: 'The address of the API; by default the server of the files',
} as const

const generateDocsCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Write the documentation as files',
    fullDescription: formatDescription(
      'Writes the documentation browser and the OpenAPI documents into a folder, for any server that can send files.',
      {
        'edict docs generate': 'write into the folder api-docs',
        'edict docs generate --out public/docs': 'write into public/docs',
      },
    ),
  },
  parameters: {
    flags: {
      app: appFlag,
      server: serverFlag,
      out: {
        kind: 'parsed',
        parse: String,
        default: 'api-docs',
        placeholder: 'folder',
        brief: 'The folder to write into',
      },
    },
  },
  func: writeDocs,
})

const previewDocsCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Show the documentation in a browser',
    fullDescription: formatDescription(
      `Serves the files that 'edict docs generate' would write, on this machine only, until Ctrl+C. The API itself is not
served; to try requests from the page, run the API and name it with --server, or use the plugin docs() and 'edict dev'.`,
      { 'edict docs preview': 'on port 4000', 'edict docs preview --port 0': 'on a free port' },
    ),
  },
  parameters: {
    flags: {
      app: appFlag,
      server: serverFlag,
      port: {
        kind: 'parsed',
        parse: parsePort,
        default: '4000',
        placeholder: 'port',
        brief: 'The port; 0 for a free one',
      },
    },
  },
  func: servePreview,
})

/** The commands about documentation. */
export const docsCommands: RouteMap<CliContext> = buildRouteMap({
  routes: { generate: generateDocsCommand, preview: previewDocsCommand },
  docs: { brief: 'Write or show the documentation of the API' },
})

async function writeDocs(this: CliContext, { out, ...flags }: DocsFlags & { readonly out: string }): Promise<void> {
  const files = await generateFiles(flags, this)
  const folder = resolve(this.cwd, out)
  for (const { path, content } of files) {
    const file = resolve(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  this.process.stdout.write(`Wrote ${files.length} files to ${folder}\n`)
}

async function servePreview(
  this: CliContext,
  { port, ...flags }: DocsFlags & { readonly port: number },
): Promise<void> {
  const files = new Map((await generateFiles(flags, this)).map(({ path, content }) => [`/${path}`, content]))
  const server = createServer(({ url = '/' }, response) => {
    const path = url.split('?', 1)[0] === '/' ? '/index.html' : (url.split('?', 1)[0] as string)
    sendFile(response, path, files.get(path))
  })
  await new Promise<void>((listening, failed) => {
    server.on('error', failed).listen(port, '127.0.0.1', listening)
  })
  this.process.stdout.write(`The documentation is at http://localhost:${(server.address() as AddressInfo).port}/\n`)
  await new Promise<void>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
  })
}

async function generateFiles({ app, server }: DocsFlags, context: CliContext): Promise<StaticFile[]> {
  const loaded = await loadApplication(app === undefined ? {} : { app }, context)
  const options: StaticDocsOptions = server === undefined ? {} : { server }
  return withProgress(context.process.stderr, 'Writing the documentation', async () => {
    const files: StaticFile[] = []
    // The docs plugin of the application has its own options.
    const generated = (loaded.tools['docs']?.({ ...options }) ??
      staticDocs(loaded, options)) as AsyncIterable<StaticFile>
    for await (const file of generated) files.push(file)
    return files
  })
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
}

function sendFile(response: ServerResponse, path: string, content: Uint8Array | undefined): void {
  if (content === undefined) response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such file.\n')
  else {
    const type = CONTENT_TYPES[extname(path)] ?? 'application/octet-stream'
    response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(content)
  }
}

function parsePort(input: string): number {
  if (/^\d{1,5}$/.test(input) && Number(input) < 65_536) return Number(input)
  throw new SyntaxError('a port is a number from 0 to 65535')
}
