// Events of a channel that are published in transactions: the outbox of the application, its relay and the carrier together.
import { application, controller, endpoint, mediaType, type Need, route, t } from 'edict'
import { channel, memoryCarrier, openChannel } from 'edict/channels'
import { pgDatastore } from 'edict/mapper/pg'
import { outbox, outboxRelay } from 'edict/outbox'
import { transaction } from 'edict/stores'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recorder } from '../support/ask.ts'
import { startPostgres } from '../support/engines/postgres.ts'
import { sqlite } from '../support/engines/sqlite.ts'
import { openBoxDatabase } from '../support/outbox/clients.ts'

const Order = mediaType('Order', { attributes: { id: t.integer({ required: true, min: 1 }) } })
const OrderNews = channel('orders', { created: Order })

const createOrders = <N extends Readonly<Record<string, Need>>>(needs: N) =>
  endpoint('Orders', {
    mediaType: Order,
    actions: {
      create: {
        routing: route.post('/'),
        payload: { id: t.integer({ required: true }), fails: t.boolean() },
        needs,
        responses: { noContent: true, conflict: true },
      },
    },
  })

/** Opens the channel over a database of SQLite. */
async function openOrders() {
  const base = await sqlite.createDatabase()
  const database = await openBoxDatabase('Drizzle', 'sqlite', base.url)
  onTestFinished(async () => {
    await database.close()
    await base.close()
  })
  const box = outbox(database.datastore)
  await box.createTable()
  const carrier = memoryCarrier()
  const orders = openChannel(OrderNews, { carrier, outbox: box })
  const begin = await orders.position()
  const read = async () => (await carrier.read('orders', begin, 100)).events.map(({ text }) => JSON.parse(text))
  return { ...database, box, orders, read }
}

const created = (id: number) => ({ event: 'created', data: { id } })

describe('a channel with an outbox', () => {
  it('[EVT-05] publishes after the commit, once the application has started, and nothing after a rollback', async () => {
    const { transaction: run, box, orders, read } = await openOrders()
    await run((within) => orders.publish('created', { id: 1 }, { within }))
    const undone = run(async (within) => {
      await orders.publish('created', { id: 2 }, { within })
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await read()).toEqual([])
    const implementation = controller(createOrders({}), { create: (_, { reply }) => reply.noContent() })
    const app = application({ logger: recorder(), controllers: [implementation], plugins: [outboxRelay(box)] })
    await app.start()
    await expect.poll(read).toEqual([created(1)])
    await run((within) => orders.publish('created', { id: 3 }, { within }))
    await expect.poll(read).toEqual([created(1), created(3)])
    await app.close()
    await run((within) => orders.publish('created', { id: 4 }, { within }))
    await orders.publish('created', { id: 5 })
    expect(await read()).toEqual([created(1), created(3), created(5)])
  })

  it('[EVT-05] checks data as it does without a transaction, before anything is written', async () => {
    const { transaction: run, orders, box, read } = await openOrders()
    await run(async (within) => {
      await expect(orders.publish('created', { id: 0 }, { within })).rejects.toThrow('/id must be at least 1')
      // @ts-expect-error: the id is an integer.
      await expect(orders.publish('created', { id: 'one' }, { within })).rejects.toThrow('does not fit its type')
      // @ts-expect-error: there is no such event.
      await expect(orders.publish('sold', { id: 1 }, { within })).rejects.toThrow("'sold' is not declared")
      await orders.publish('created', { id: 7 }, { within })
    })
    const relay = await box.relay()
    await expect.poll(read).toEqual([created(7)])
    await relay.stop()
  })

  it('[EVT-05] refuses a transaction without an outbox, and a missing one', async () => {
    const orders = openChannel(OrderNews, { carrier: memoryCarrier() })
    await expect(orders.publish('created', { id: 1 }, { within: {} })).rejects.toThrow(
      "channel 'orders': there is no outbox for an event of a transaction. Remedy: give openChannel the option outbox, such as outbox(datastore)",
    )
    const { orders: ready } = await openOrders()
    for (const options of [{ within: undefined }, {}, { within: null }])
      await expect(ready.publish('created', { id: 1 }, options as never)).rejects.toThrow(
        /within.*an open transaction/s,
      )
    expect(() => openChannel(OrderNews, { carrier: memoryCarrier(), outbox: {} as never })).toThrow(
      'give an outbox, such as outbox(datastore)',
    )
    expect(() => outbox({})).toThrow('outbox: an object has no SQL database. Remedy: give a datastore')
  })

  it('[EVT-05] opens a channel once for an outbox', async () => {
    const { box } = await openOrders()
    expect(() => openChannel(OrderNews, { carrier: memoryCarrier(), outbox: box })).toThrow(
      "the topic 'channel:orders' has a route",
    )
  })
})

const postgres = await startPostgres()

postgres.describe((engine) => {
  it('[EVT-05] publishes in the transaction of an action, which commits with its response', async () => {
    const base = await engine.createDatabase()
    const pool = new pg.Pool({ connectionString: base.url })
    const box = outbox(await pgDatastore(pool))
    const carrier = memoryCarrier()
    const orders = openChannel(OrderNews, { carrier, outbox: box })
    const begin = await orders.position()
    const read = async () => (await carrier.read('orders', begin, 100)).events.map(({ text }) => JSON.parse(text))
    const implementation = controller(createOrders({ within: transaction(pool) }), {
      async create(_, { request: { payload }, within, reply }) {
        await orders.publish('created', { id: payload.id }, { within })
        return payload.fails === true ? reply.conflict() : reply.noContent()
      },
    })
    const app = application({ logger: recorder(), controllers: [implementation], plugins: [outboxRelay(box)] })
    await app.start()
    onTestFinished(async () => {
      await app.close()
      await pool.end()
      await base.close()
    })
    const send = (payload: object) =>
      app.fetch(
        new Request('http://shop.test/orders', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(payload),
        }),
      )
    expect((await send({ id: 1 })).status).toBe(204)
    expect((await send({ id: 2, fails: true })).status).toBe(409)
    expect((await send({ id: 3 })).status).toBe(204)
    await expect.poll(read).toEqual([created(1), created(3)])
  })

  it('[EVT-05] has no relay on a connection that others use', async () => {
    const base = await engine.createDatabase()
    const client = new pg.Client({ connectionString: base.url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await base.close()
    })
    const box = outbox(await pgDatastore(client))
    await expect(box.relay()).rejects.toThrow('Remedy: open the datastore with a pool')
  })
})
