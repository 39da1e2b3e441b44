// The program of one process of a fleet: an application whose limits, keys and sessions are in a store that all of them share.
import { application } from 'edict'
import { idempotency } from 'edict/idempotency'
import { serve } from 'edict/node'
import { rateLimits } from 'edict/rate-limit'
import { sessions } from 'edict/sessions'
import { desk, limited, ordersBeside, ordersIn, Session } from './api.ts'
import { type ClientName, openPool, openStore } from './open.ts'

const [, , client, url] = process.argv as string[]
const { store } = await openStore(client as ClientName, url as string)
const orders = client === 'pg' ? ordersIn(await openPool(url as string)) : ordersBeside(store)
const kept = sessions(Session, { store })
const app = application({
  controllers: [limited, orders, desk],
  plugins: [rateLimits(store), idempotency(store), kept.plugin],
  verifiers: [kept.verifier],
  environment: 'production',
  logger: { info() {}, warn() {}, error() {} },
})
const serving = await serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false })
process.send?.(serving.url)
process.on('disconnect', () => process.exit())
