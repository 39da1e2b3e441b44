// Starts the Redis, or Valkey, that is installed on this machine, with a folder, a port and a password of its own.
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../../../scripts/machine.ts'
import { type Served, serve } from './serve.ts'

/**
 * Starts a server that keeps every write when it is restarted, or tells that there is none to start. One that is not `durable`
 * keeps what it is asked to save.
 */
export async function serveRedis({ durable = true } = {}): Promise<Served> {
  const server = program('valkey-server') ?? program('redis-server')
  if (server === undefined)
    return { started: { missing: 'not on the PATH, apt-get install redis-server' }, stop: async () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'edict-redis-'))
  const password = crypto.randomUUID()
  const kept = ['--save', '', ...(durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : [])]
  const apart = ['--bind', '127.0.0.1', '--dir', folder, '--requirepass', password, '--databases', '200']
  return serve({
    command: server,
    args: (port) => ['--port', String(port), ...apart, ...kept],
    folder,
    signal: 'KILL',
    as: undefined,
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
    connect: ready,
  })
}

/** Asks for an answer to PING: a server that still loads its data refuses it. */
function ready(url: string): Promise<void> {
  const { port, password } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`AUTH ${password}\r\nPING\r\n`))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('PONG')) resolve()
      else if (text.split('\r\n').length < 3) return
      else reject(new Error(text))
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection was closed')))
  })
}
