// Serving an application: one process or several, from the first connection to the last.
import cluster from 'node:cluster'
import type { SecureContextOptions } from 'node:tls'
import { consoleLogger, type Logger, guardLogger } from '../../server/logger.ts'
import { AdmissionControl } from './connection/admission-control.ts'
import { Connections } from './connection/connection.ts'
import { drainServer } from './drain-server.ts'
import type { NodeApp } from './listener.ts'
import { checkServeArguments } from './serve-option-forms.ts'
import { resolveAdmissionLimits, resolvePort, type ServeOptions, resolveTimeouts, resolveWorkerCount } from './serve-options.ts'
import { isSecureServer } from './secure-server.ts'
import { createHttpServer, listen } from './http-server.ts'
import { waitForOtherWorkers } from './workers/worker-messages.ts'
import { ProcessSignals, type Stoppable } from './workers/process-signals.ts'
import { WorkerPool } from './workers/worker-pool.ts'

/** A server that is running. */
export interface RunningServer {
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

interface ServerControl extends Stoppable {
  readonly host: string
  readonly port: number
  readonly isSupervised: boolean
  setSecureContext(options: SecureContextOptions): void
}

/** Serves an application over HTTP/1.1, and with `tls` over HTTP/2 as well; resolves when it listens, and rejects with one TypeError for invalid options. */
export async function serve(app: NodeApp, options: ServeOptions = {}): Promise<RunningServer> {
  checkServeArguments(app, options)
  const logger = guardLogger(options.logger ?? app.logger ?? consoleLogger)
  const workers = resolveWorkerCount(options)
  const running =
    workers > 1 && cluster.isPrimary
      ? await startWorkers(workers, options, logger)
      : await startServer(app, options, logger)
  let stopping: Promise<boolean> | undefined
  const stop = (): Promise<boolean> => {
    stopping ??= running.stop().then(async (whole) => (await runWithDeadline(resolveTimeouts(options).drain, options.onClose)) && whole)
    return stopping
  }
  const { signals = true, fatal = 'log' } = options
  const { restart } = running
  const processSignals = new ProcessSignals(
    { stop, restart },
    { signals, fatal, isSupervised: running.isSupervised },
    logger,
  )
  processSignals.attach()
  const url = `${options.tls === undefined ? 'http' : 'https'}://${formatHost(running.host)}:${running.port}`
  if (!running.isSupervised) logListening(url, workers, logger)
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

async function startServer(app: NodeApp, options: ServeOptions, logger: Logger): Promise<ServerControl> {
  const connections = new Connections(new AdmissionControl(resolveAdmissionLimits(options), logger))
  const server = createHttpServer(app, connections, options, logger)
  await app.start?.()
  const { address, port } = await listen(server, options)
  const { drain: limit } = resolveTimeouts(options)
  const supervised = cluster.isWorker && resolveWorkerCount(options) > 1
  return {
    host: address,
    port,
    isSupervised: supervised,
    setSecureContext(context) {
      if (!isSecureServer(server)) throw new TypeError('setSecureContext: this server has no TLS: give serve the option tls')
      server.setSecureContext(context)
    },
    async stop() {
      app.drain?.()
      const alone = supervised ? waitForOtherWorkers : () => Promise.resolve()
      // Connections of workers are accepted by the primary process and take a moment to arrive.
      const cut = await drainServer(server, connections, { deadline: limit, queueIdleTime: supervised ? 100 : 0, waitForOthers: alone })
      connections.admission.close()
      if (cut > 0) logger.warn({ connections: cut, deadline: limit }, 'Connections were cut at the deadline')
      return (await runWithDeadline(limit, app.close?.bind(app))) && cut === 0
    },
  }
}

async function startWorkers(count: number, options: ServeOptions, logger: Logger): Promise<ServerControl> {
  resolvePort(options)
  const { drain: limit } = resolveTimeouts(options)
  const crew = new WorkerPool(limit, logger)
  const { address, port } = await crew.start(count)
  return {
    host: address ?? '::',
    port,
    isSupervised: false,
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
async function runWithDeadline(deadline: number, close: (() => unknown) | undefined): Promise<boolean> {
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

function logListening(url: string, workers: number, logger: Logger): void {
  logger.info({ url, workers, pid: process.pid }, `Listening on ${url}`)
  // The default logger writes nothing below a warning, but a user at the terminal wants to know the URL.
  if (process.stdout.isTTY) console.log(`Listening on ${url}`)
}

function formatHost(host: string): string {
  if (host === '::' || host === '0.0.0.0') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
