// Serves an application: in one process or several, from the first connection to the last.
import type { SecureContextOptions } from 'node:tls'
import { consoleLogger, guardLogger, type Logger } from '../../server/logger.ts'
import { waitAtMost } from '../../util/wait-at-most.ts'
import { AdmissionControl } from './connection/admission-control.ts'
import { Connections } from './connection/connection.ts'
import { drainServer } from './drain-server.ts'
import { createHttpServer, isSecureServer, listen } from './http-server.ts'
import type { NodeApp } from './listener.ts'
import { checkServeArguments } from './serve-option-forms.ts'
import {
  resolveAdmissionLimits,
  resolvePort,
  resolveTimeouts,
  resolveWorkerCount,
  type ServeOptions,
} from './serve-options.ts'
import { ProcessSignals, type Stoppable } from './workers/process-signals.ts'
import { waitForOtherWorkers } from './workers/worker-messages.ts'

/** A server that is running. */
export interface RunningServer {
  /** The URL at which this machine can reach it. */
  readonly url: string
  readonly host: string
  readonly port: number
  /** Whether it has begun to stop: readiness checks should fail from then on. */
  readonly draining: boolean
  /**
   * Replaces the workers one by one without losing a request; resolves with whether all were replaced, true without
   * workers.
   */
  restart(): Promise<boolean>
  /** Sets other certificates for new connections, like `tls.Server`; with workers, `restart()` reads them again. */
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
  // One process needs no node:cluster, which takes a part of its start.
  const cluster = workers > 1 ? (await import('node:cluster')).default : undefined
  const running = cluster?.isPrimary
    ? await startWorkers(workers, options, logger)
    : await startServer(app, options, logger, cluster?.isWorker === true)
  let stopping: Promise<boolean> | undefined
  const stop = (): Promise<boolean> => {
    stopping ??= running
      .stop()
      .then(
        async (isComplete) => (await runWithDeadline(resolveTimeouts(options).drain, options.onClose)) && isComplete,
      )
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

async function startServer(
  app: NodeApp,
  options: ServeOptions,
  logger: Logger,
  isSupervised: boolean,
): Promise<ServerControl> {
  const connections = new Connections(new AdmissionControl(resolveAdmissionLimits(options), logger))
  const server = await createHttpServer(app, connections, options, logger)
  await app.start?.()
  const { address, port } = await listen(server, options)
  const { drain } = resolveTimeouts(options)
  return {
    host: address,
    port,
    isSupervised,
    setSecureContext(context) {
      if (!isSecureServer(server))
        throw new TypeError('setSecureContext: this server has no TLS: give serve the option tls')
      server.setSecureContext(context)
    },
    async stop() {
      app.drain?.()
      const waitForOthers = isSupervised ? waitForOtherWorkers : () => Promise.resolve()
      // The primary process accepts connections of workers, which take a moment to arrive.
      const cut = await drainServer(server, connections, {
        deadline: drain,
        queueIdleTime: isSupervised ? 100 : 0,
        waitForOthers,
      })
      connections.admission.close()
      if (cut > 0) logger.warn({ connections: cut, deadline: drain }, 'Connections were cut at the deadline')
      return (await runWithDeadline(drain, app.close?.bind(app))) && cut === 0
    },
  }
}

async function startWorkers(count: number, options: ServeOptions, logger: Logger): Promise<ServerControl> {
  resolvePort(options)
  const { drain } = resolveTimeouts(options)
  const { WorkerPool } = await import('./workers/worker-pool.ts')
  const pool = new WorkerPool(drain, logger)
  const { address, port } = await pool.start(count)
  return {
    host: address ?? '::',
    port,
    isSupervised: false,
    setSecureContext() {
      throw new TypeError(
        'setSecureContext: the workers have the certificates: call restart(), and they read them again',
      )
    },
    stop: () => pool.stop(),
    restart: () => pool.restart(),
  }
}

/** Runs a final task; resolves with false if it takes longer than draining may. */
async function runWithDeadline(deadline: number, close: (() => unknown) | undefined): Promise<boolean> {
  if (close === undefined) return true
  return waitAtMost<boolean>(
    deadline,
    Promise.resolve(close()).then(() => true),
    () => false,
  )
}

function logListening(url: string, workers: number, logger: Logger): void {
  logger.info({ url, workers, pid: process.pid }, `Listening on ${url}`)
  // The default logger writes nothing below a warning, but a user at the terminal needs to know the URL.
  if (process.stdout.isTTY) console.log(`Listening on ${url}`)
}

function formatHost(host: string): string {
  if (host === '::' || host === '0.0.0.0') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
