// The settings of a server, and their defaults: every limit is finite.
import type { ServerOptions } from 'node:http'
import { availableParallelism } from 'node:os'
import type { Logger } from '../../server/logger.ts'
import type { AdmissionLimits } from './admission.ts'
import { LeanMessage } from './message.ts'
import { LeanResponse } from './response.ts'

/** Limits of time, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request to arrive; 10 seconds by default. */
  readonly headers?: number
  /** For a whole request with its body to arrive; 60 seconds by default, more where large uploads are welcome. */
  readonly request?: number
  /** For a client to take any part of the answer that waits for it; 120 seconds by default. A quiet stream has nothing waiting. */
  readonly response?: number
  /** For which a connection without requests is kept; 65 seconds by default, longer than common load balancers do. */
  readonly keepAlive?: number
  /** After which draining ends and what is still connected is cut; 10 seconds by default. */
  readonly deadline?: number
}

/** Settings of `serve`. */
export interface ServeOptions {
  /** The port; 0 takes a free one. The environment's PORT by default, else 3000. */
  readonly port?: number
  /** The address to listen on; every interface by default, since a container is not reachable on its loopback. */
  readonly host?: string
  /** Connections that the system may hold back for us; 511 by default. */
  readonly backlog?: number
  /** How many processes serve: 'auto' means one for each processor; one, this one, by default. */
  readonly workers?: number | 'auto'
  /** The logger; the application's by default. */
  readonly logger?: Logger
  /** Whether SIGTERM and SIGINT drain the server and end the process, and SIGUSR2 and SIGHUP replace its workers; true by default. */
  readonly signals?: boolean
  /** What an uncaught error does: 'log', the default, logs it and goes on; true also drains the server and ends the process with code 1. */
  readonly fatal?: boolean | 'log'
  readonly timeouts?: Timeouts
  /** Limit of a request's headers in bytes; 16 KiB by default. */
  readonly maxHeaderSize?: number
  /** Requests in progress at most; what comes on top is answered with 503 at once. 1,000 by default, 0 for any number. */
  readonly maxRequests?: number
  /** Requests of one connection that may wait for their answers; what comes on top is answered with 503. 100 by default, 0 for any number. */
  readonly maxPipelined?: number
  /** Milliseconds by which the event loop may be late before requests are answered with 503; any by default. */
  readonly maxDelay?: number
  /** Runs when every connection has ended, before the process does: close pools and flush logs here. */
  readonly onClose?: () => unknown
  /** Further options of http.createServer. */
  readonly http?: Omit<ServerOptions, 'insecureHTTPParser' | 'requireHostHeader' | 'maxHeaderSize' | TimeoutOption>
}

type TimeoutOption = 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'connectionsCheckingInterval'

/** How long draining may take unless told otherwise. */
export const defaultDeadline = 10_000

/** The options of http.createServer that `serve` stands for. */
export function httpOptions({ http, timeouts = {}, maxHeaderSize = 16 * 1024 }: ServeOptions): ServerOptions {
  const { request = 60_000, headers = Math.min(10_000, request || 10_000), keepAlive = 65_000 } = timeouts
  const shortest = Math.min(headers || request, request || headers)
  return {
    IncomingMessage: LeanMessage,
    ServerResponse: LeanResponse,
    ...http,
    maxHeaderSize,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    // Node looks for late requests every 30 seconds, which would make the shorter limits meaningless.
    connectionsCheckingInterval: Math.min(5000, Math.max(50, Math.floor(shortest / 4))),
    // A lenient parser is how requests are smuggled.
    insecureHTTPParser: false,
    // The listener looks itself: Node would answer without a body, and accepts two Host headers.
    requireHostHeader: false,
  }
}

/** The port to listen on; throws if the environment names one that is none. */
export function portOf({ port }: ServeOptions, environment: string | undefined = process.env.PORT): number {
  const chosen = port ?? (environment === undefined || environment === '' ? 3000 : Number(environment))
  if (Number.isInteger(chosen) && chosen >= 0 && chosen <= 65_535) return chosen
  throw new TypeError(`${port ?? `PORT=${environment}`} is not a port: give a number from 0 to 65535`)
}

/** The number of processes that serve. */
export function workersOf({ workers = 1 }: ServeOptions): number {
  const count = workers === 'auto' ? availableParallelism() : workers
  if (Number.isInteger(count) && count >= 1) return count
  throw new TypeError(`workers: ${workers} is not a number of processes: give 1 or more, or 'auto'`)
}

/** What a process takes on at most; throws if that is no number. */
export function admissionLimits(options: ServeOptions): AdmissionLimits {
  const { maxRequests = 1000, maxPipelined = 100, maxDelay = 0 } = options
  for (const [name, value] of Object.entries({ maxRequests, maxPipelined, maxDelay })) {
    if (!(value >= 0)) throw new TypeError(`${name}: ${value} is not a limit: give a number, or 0 for none`)
  }
  return { requests: maxRequests, delay: maxDelay, pipelined: maxPipelined }
}
