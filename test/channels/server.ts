// One of the processes that serve the same channel: it gets the client of its carrier and the URL as arguments.
import { serve } from '../../src/adapters/node/index.ts'
import { openCarrier } from '../support/channels/open.ts'
import type { ClientName } from '../support/stores/open.ts'
import { serveNews, silent } from './news.ts'

const [client, url] = process.argv.slice(2) as [ClientName, string]
const { carrier } = await openCarrier(client, url, { durable: true })
const { app } = serveNews(carrier)
const options = { port: 0, host: '127.0.0.1', logger: silent, fatal: false } as const
const server = await serve(app, { ...options, timeouts: { drain: 1000 } })
process.send?.(server.port)
