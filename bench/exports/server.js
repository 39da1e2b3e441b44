// The process that is measured: an export of edict from the built package, and the driver's own cursor over the same rows.
import pg from 'pg'
import { serve } from '../../dist/adapters/node/index.js'
import { application, collectionOf, controller, endpoint, mediaType, route, t } from '../../dist/index.js'
import { pgDatastore } from '../../dist/plugins/datastores/plain/pg.js'
import { mapper, resource } from '../../dist/plugins/mapper/index.js'

const [url] = process.argv.slice(2)
const Item = mediaType('Item', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string(),
    kind: t.string(),
    price: t.number(),
    stock: t.integer(),
    active: t.boolean(),
    created_at: t.dateTime(),
  },
})
const Items = endpoint('Items', {
  mediaType: Item,
  actions: {
    index: {
      routing: route.get('/'),
      responses: { ok: { mediaType: [collectionOf(Item, { as: 'ndjson' }), collectionOf(Item, { as: 'csv' })] } },
    },
  },
})

const pool = new pg.Pool({ connectionString: url, max: 4 })
const items = resource(await pgDatastore(pool), Item, { table: 'items' })
const app = application({
  environment: 'production',
  plugins: [mapper({ resources: { items } })],
  controllers: [controller(Items, { index: (_, { request, reply }) => reply.ok(items.stream(request)) })],
})
const serving = await serve(app, { port: 0, host: '127.0.0.1', signals: false })

let most = 0
let watch

/** Reads the table as a program that knows only the driver would: by a cursor, 1,000 rows at a time, each an object. */
async function raw() {
  const client = await pool.connect()
  let rows = 0
  await client.query('begin isolation level repeatable read read only')
  await client.query('declare raw no scroll cursor for select * from items order by id')
  for (;;) {
    const part = await client.query('fetch 1000 from raw')
    if (part.rows.length === 0) break
    rows += part.rows.length
  }
  await client.query('rollback')
  client.release()
  return rows
}

const DO = {
  raw,
  /** From here on the greatest memory is kept; gives that of now. */
  idle() {
    globalThis.gc?.()
    most = process.memoryUsage.rss()
    watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 20)
    return most
  },
  most() {
    clearInterval(watch)
    return most
  },
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
}

process.on('message', (what) => {
  void Promise.resolve(DO[what]()).then((done) => process.send(done))
})
process.send(serving.url)
