// The server under test as a process of its own; its settings are the first argument. It prints `ready <port>`.
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Logger } from 'edict'
import { serve } from 'edict/node'
import { makeApplication } from './api.ts'
import { open } from './database.ts'
import type { Gauge, Settings } from './settings.ts'

const line =
  (level: string) =>
  (fields: object, message: string): void => {
    const { err, ...rest } = fields as { err?: unknown }
    console.error(JSON.stringify({ level, message, ...rest, ...(err !== undefined && { err: String(err) }) }))
  }
const logger: Logger = { info: line('info'), warn: line('warn'), error: line('error') }

const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
if (settings.trap !== undefined && existsSync(settings.trap)) throw new Error('This version does not start')
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()

const counts = { late: 0, gone: 0, kept: [] }
const opened = open(settings, (err) => logger.warn({ err }, 'A connection of the pool broke'))

function gauge(): Gauge {
  const delay = delays.percentile(99) / 1e6
  collectGarbage()
  delays.reset()
  const heap = process.memoryUsage().heapUsed / 1024 / 1024
  return { pid: process.pid, heap, delay, late: counts.late, gone: counts.gone, pool: opened.pool() }
}

const app = makeApplication(settings, opened, { counts, gauge, logger })
const serving = await serve(app, {
  port: 0,
  host: '127.0.0.1',
  ...settings.serve,
  onClose: () => opened.close(),
})
if (cluster.isPrimary) console.log(`ready ${serving.port}`)
