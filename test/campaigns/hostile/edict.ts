// The process of edict: the surface, the example API, hostile documentation and guarded actions, each on its port; with HOSTILE_TLS over TLS.
import { type ServeOptions, serve } from 'edict/node'
import { blogApi } from '../../../examples/blog/api.ts'
import { openDatabase } from '../../../examples/blog/database.ts'
import { cert, key } from '../../support/serving/certificate.ts'
import { documentedApp } from './documented.ts'
import { underGauge } from './gauge.ts'
import { guardedApp } from './guarded.ts'
import { surfaceApp } from './surface.ts'
import { TIMEOUTS } from './timeouts.ts'

const quiet = { info() {}, warn() {}, error() {} }
const options: ServeOptions = {
  ...(process.env['HOSTILE_TLS'] !== undefined && { tls: { key, cert } }),
  port: 0,
  host: '127.0.0.1',
  signals: false,
  fatal: false,
  logger: quiet,
  timeouts: { headers: TIMEOUTS.headers, request: TIMEOUTS.request },
}
const database = openDatabase()
await database.prepare()
const [surface, blog, documented, guarded] = await Promise.all([
  serve(surfaceApp(quiet), options),
  serve(blogApi(database), options),
  serve(documentedApp(quiet), options),
  serve(guardedApp(quiet), options),
])
underGauge({ surface: surface.port, blog: blog.port, documented: documented.port, guarded: guarded.port })
