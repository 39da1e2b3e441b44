// Serving an application: one process or several, from the first connection to the last.
import cluster from 'node:cluster'
import type { SecureContextOptions } from 'node:tls'
import { consoleLogger, type Logger, safely } from '../../server/logger.ts'
import { Admission } from './connection/admission.ts'
import { Connections } from './connection/connection.ts'
import { drain } from './drain.ts'
import type { Served } from './listener.ts'
import { checkServed } from './option-forms.ts'
import { admissionLimits, portOf, type ServeOptions, timesOf, workersOf } from './options.ts'
import { isSecure } from './secure.ts'
import { httpServer, listen } from './server.ts'
import { othersAreDeaf } from './workers/messages.ts'
import { ProcessSignals, type Stoppable } from './workers/process.ts'
import { WorkerPool } from './workers/workers.ts'

/** A server that is running. */
export interface Serving {
  /** Where it can be reached from this machine. */
  readonly url: string
  readonly host: string
  readonly port: number
  /** Whether it has begun to stop: the time to fail readiness checks. */
  readonly draining: boolean
  /** Replaces the workers one by one without losing a request; resolves with whether all did, true without workers. */
  restart(): Promise<boolean>
  /** Takes other certificates for connections to come, as `tls.Server` does; with workers, `restart()` has them read again. */
  setSecureContext(options: SecureContextOptions): void
  /** Drains the server and resolves when every connection has ended; the process continues. */
  close(): Promise<void>
}

interface Running extends Stoppable {
  readonly host: string
  readonly port: number
  readonly supervised: boolean
  setSecureContext(options: SecureContextOptions): void
}

/** Serves an application over HTTP/1.1, and with `tls` over HTTP/2 as well; resolves when it listens, and rejects with one TypeError for invalid options. */
export async function serve(app: Served, options: ServeOptions = {}): Promise<Serving> {
  checkServed(app, options)
  const logger = safely(options.logger ?? app.logger ?? consoleLogger)
  const workers = workersOf(options)
  const running =
    workers > 1 && cluster.isPrimary
      ? await superviseWorkers(workers, options, logger)
      : await run(app, options, logger)
  let stopping: Promise<boolean> | undefined
  const stop = (): Promise<boolean> => {
    stopping ??= running.stop().then(async (whole) => (await within(timesOf(options).drain, options.onClose)) && whole)
    return stopping
  }
  const { signals = true, fatal = 'log' } = options
  const { restart } = running
  const processSignals = new ProcessSignals(
    { stop, restart },
    { signals, fatal, supervised: running.supervised },
    logger,
  )
  processSignals.attach()
  const url = `${options.tls === undefined ? 'http' : 'https'}://${authority(running.host)}:${running.port}`
  if (!running.supervised) announce(url, workers, logger)
  return {
    url,
    host: running.host,
    port: running.port,
    get draining() {
      return stopping !== undefined
    },
    restart: () => restart?.() ?? Promise.resolve(true),
    setSecureContext: (context) => running.setSecureContext(context),
    async close() {
      await stop()
      processSignals.detach()
    },
  }
}

async function run(app: Served, options: ServeOptions, logger: Logger): Promise<Running> {
  const connections = new Connections(new Admission(admissionLimits(options), logger))
  const server = httpServer(app, connections, options, logger)
  await app.start?.()
  const { address, port } = await listen(server, options)
  const { drain: limit } = timesOf(options)
  const supervised = cluster.isWorker && workersOf(options) > 1
  return {
    host: address,
    port,
    supervised,
    setSecureContext(context) {
      if (!isSecure(server)) throw new TypeError('setSecureContext: this server has no TLS: give serve the option tls')
      server.setSecureContext(context)
    },
    async stop() {
      app.drain?.()
      const alone = supervised ? othersAreDeaf : () => Promise.resolve()
      // Connections of workers are accepted by the primary process and take a moment to arrive.
      const cut = await drain(server, connections, { deadline: limit, quiet: supervised ? 100 : 0, alone })
      connections.admission.close()
      if (cut > 0) logger.warn({ connections: cut, deadline: limit }, 'Connections were cut at the deadline')
      return (await within(limit, app.close?.bind(app))) && cut === 0
    },
  }
}

async function superviseWorkers(count: number, options: ServeOptions, logger: Logger): Promise<Running> {
  portOf(options)
  const { drain: limit } = timesOf(options)
  const crew = new WorkerPool(limit, logger)
  const { address, port } = await crew.start(count)
  return {
    host: address ?? '::',
    port,
    supervised: false,
    setSecureContext() {
      throw new TypeError(
        'setSecureContext: the workers have the certificates: call restart(), and they read them again',
      )
    },
    stop: () => crew.stop(),
    restart: () => crew.restart(),
  }
}

/** Runs what is left to do at the end; false if it takes longer than draining may. */
async function within(deadline: number, close: (() => unknown) | undefined): Promise<boolean> {
  if (close === undefined) return true
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, deadline, false)
  })
  try {
    return await Promise.race([late, Promise.resolve(close()).then(() => true)])
  } finally {
    clearTimeout(timer)
  }
}

function announce(url: string, workers: number, logger: Logger): void {
  logger.info({ url, workers, pid: process.pid }, `Listening on ${url}`)
  // The default logger writes nothing below a warning, but a user at the terminal wants to know the URL.
  if (process.stdout.isTTY) console.log(`Listening on ${url}`)
}

function authority(host: string): string {
  if (host === '::' || host === '0.0.0.0') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
