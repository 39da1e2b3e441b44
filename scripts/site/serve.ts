// Serves a folder of files below any path, to view the site and for its tests.
import { readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** A server of files. */
export interface FileServer {
  readonly url: string
  readonly server: Server
  /** The requested paths that do not exist. */
  readonly missed: string[]
}

function readContent(folder: string, path: string): { file: string; content: Buffer } | undefined {
  const clean = normalize(decodeURIComponent(path)).replace(/^(?:\.\.[/\\])+/, '')
  const file = join(folder, clean.endsWith('/') ? `${clean}index.html` : clean)
  try {
    return statSync(file).isFile() ? { file, content: readFileSync(file) } : undefined
  } catch {
    return undefined
  }
}

/** Serves the files of a folder below `base`, which ends with a slash. */
export async function serveFiles(folder: string, port = 0, base = '/'): Promise<FileServer> {
  const missed: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    const [path = '/'] = url.split('?')
    const found = path.startsWith(base) ? readContent(folder, `/${path.slice(base.length)}`) : undefined
    if (found === undefined) {
      missed.push(path)
      return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such page.\n')
    }
    const type = types[extname(found.file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'Content-Type': type }).end(found.content)
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const { port: actualPort } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${actualPort}${base}`, server, missed }
}
