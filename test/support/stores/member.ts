// The program of one process of a fleet: an application whose limits are in a store that all of them share.
import { application } from 'edict'
import { serve } from 'edict/node'
import { rateLimits } from 'edict/rate-limit'
import { limited } from './api.ts'
import { type ClientName, openStore } from './open.ts'

const [, , client, url, port] = process.argv
const { store } = await openStore(client as ClientName, url as string)
const app = application({
  controllers: [limited],
  plugins: [rateLimits(store)],
  environment: 'production',
  logger: { info() {}, warn() {}, error() {} },
})
const serving = await serve(app, { port: Number(port), host: '127.0.0.1', signals: false, fatal: false })
process.send?.(serving.url)
process.on('disconnect', () => process.exit())
