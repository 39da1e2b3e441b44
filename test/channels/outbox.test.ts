// The outbox with every client of every engine: what commits is delivered once and in order, and nothing else is.
import { type Deliver, type Outbox, outbox, outboxTable, type RelayOptions } from 'edict/outbox'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { enginesHere } from '../support/engines/clients/catalogued.ts'
import type { Engine, TestDatabase } from '../support/engines/engine.ts'
import { type BoxClient, type BoxDatabase, boxClientsOn, openBoxDatabase } from '../support/outbox/clients.ts'

/** A delivery that keeps what it gets: a message of a key that it has is the same message again. */
class Mailbox {
  readonly texts: string[] = []
  readonly deliveries: number[] = []
  readonly #keys = new Set<string>()

  readonly deliver: Deliver = async (messages) => {
    this.deliveries.push(messages.length)
    for (const { key, text } of messages) {
      if (!this.#keys.has(key)) this.texts.push(text)
      this.#keys.add(key)
    }
  }
}

/** A promise that resolves when it is told to. */
function openGate(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

const undo = new Error('undo')
const message = (text: string, topic = 'news') => ({ topic, text })

const start = async (box: Outbox, options: RelayOptions = {}): Promise<void> => {
  const relay = await box.relay(options)
  onTestFinished(() => relay.stop())
}

const waitFor = (mailbox: Mailbox, ...texts: readonly string[]) =>
  expect.poll(() => mailbox.texts, { timeout: 20_000 }).toEqual(texts)

for (const need of await enginesHere()) {
  need.describe((engine) => {
    for (const client of boxClientsOn(engine.dialect)) describe(client, () => testClient(engine, client))
  })
}

function testClient(engine: Engine, client: BoxClient): void {
  let base: TestDatabase
  let opened: BoxDatabase
  let tables = 0
  beforeAll(async () => {
    base = await engine.createDatabase()
    opened = await openBoxDatabase(client, engine.dialect, base.url)
  })
  afterAll(async () => {
    await opened.close()
    await base.close()
  })
  const open = (): Outbox => outbox(opened.datastore, { table: `box_${++tables}` })
  const addIn = (box: Outbox, ...texts: readonly string[]) =>
    opened.transaction((transaction) =>
      box.add(
        transaction,
        texts.map((text) => message(text)),
      ),
    )

  test('[EVT-05] delivers what commits once and in order, and nothing that is rolled back', async () => {
    const [box, mailbox] = [open(), new Mailbox()]
    box.route('news', mailbox.deliver)
    await start(box)
    await addIn(box, 'one', 'two', 'three')
    const failing = opened.transaction(async (transaction) => {
      await box.add(transaction, [message('never')])
      throw undo
    })
    await expect(failing).rejects.toBe(undo)
    await addIn(box, 'four', '{"é":"\\u0000 \u{1f600} \' \\" $1 ?"}')
    await waitFor(mailbox, 'one', 'two', 'three', 'four', '{"é":"\\u0000 \u{1f600} \' \\" $1 ?"}')
    await addIn(box, 'end')
    await expect.poll(() => mailbox.texts.at(-1)).toBe('end')
    expect(mailbox.deliveries.reduce((sum, count) => sum + count, 0)).toBe(6)
  })

  test('[EVT-05] keeps the order of a long transaction, batch by batch', async () => {
    const [box, mailbox] = [open(), new Mailbox()]
    await box.createTable()
    box.route('news', mailbox.deliver)
    const texts = Array.from({ length: 250 }, (_, i) => `${i}`)
    await addIn(box, ...texts)
    await start(box, { batch: 40 })
    await waitFor(mailbox, ...texts)
    expect(mailbox.deliveries).toEqual([40, 40, 40, 40, 40, 40, 10])
  })

  test('[EVT-05] takes a datastore that is in a transaction', async () => {
    const [box, mailbox] = [open(), new Mailbox()]
    box.route('news', mailbox.deliver)
    await start(box)
    const { transaction } = opened.datastore as { transaction<V>(work: (inside: object) => Promise<V>): Promise<V> }
    await transaction((inside) => box.add(inside, [message('one')]))
    const failing = transaction(async (inside) => {
      await box.add(inside, [message('never')])
      throw undo
    })
    await expect(failing).rejects.toBe(undo)
    await transaction((inside) => box.add(inside, [message('two')]))
    await waitFor(mailbox, 'one', 'two')
  })

  test('[EVT-05] refuses what is no open transaction of its database', async () => {
    const box = open()
    await box.createTable()
    for (const wrong of [opened.database, opened.datastore, {}, undefined as never])
      await expect(box.add(wrong, [message('x')])).rejects.toThrow(/is no open transaction .*Remedy: /)
    await expect(opened.transaction((one) => box.add(one, [message('x', 'a b')]))).rejects.toThrow(/the topic is 'a b'/)
  })

  test('[EVT-05] tries again what could not be delivered, while other topics go on', async () => {
    const [box, good, late] = [open(), new Mailbox(), new Mailbox()]
    const failures: unknown[] = []
    let isDown = true
    box.route('good', good.deliver)
    box.route('late', async (messages) => {
      if (isDown) throw new Error('down')
      await late.deliver(messages)
    })
    await start(box, { poll: '1s', onFailure: (error) => failures.push(error) })
    await opened.transaction((one) => box.add(one, [message('1', 'late'), message('2', 'good'), message('3', 'late')]))
    await waitFor(good, '2')
    await opened.transaction((one) => box.add(one, [message('4', 'late'), message('5', 'good')]))
    await waitFor(good, '2', '5')
    await expect.poll(() => failures.length).toBeGreaterThan(2)
    expect(late.texts).toEqual([])
    isDown = false
    await waitFor(late, '1', '3', '4')
    expect(new Set(failures.map(String))).toEqual(new Set(['Error: down']))
  })

  test('[EVT-05] leaves topics without a route to other processes, and delivers again what took too long', async () => {
    const [box, mailbox] = [open(), new Mailbox()]
    const failures: unknown[] = []
    let calls = 0
    box.route('news', async (messages) => {
      calls++
      await mailbox.deliver(messages)
      if (calls === 1) await new Promise(() => {})
    })
    await start(box, { timeout: 300, onFailure: (error) => failures.push(error) })
    await opened.transaction((one) => box.add(one, [message('1', 'elsewhere'), message('2')]))
    await expect.poll(() => calls).toBe(2)
    await waitFor(mailbox, '2')
    expect(String(failures[0])).toContain("'news' was not delivered within 300 ms")
    const elsewhere = new Mailbox()
    box.route('elsewhere', elsewhere.deliver)
    await waitFor(elsewhere, '1')
    expect(calls).toBe(2)
  })

  test('[EVT-05] works with the table of a migration, and after someone has emptied it', async () => {
    const table = `box_${++tables}`
    await base.run(...outboxTable(engine.dialect, table).split(';\n'))
    const [box, mailbox] = [outbox(opened.datastore, { table, create: false }), new Mailbox()]
    box.route('news', mailbox.deliver)
    await start(box)
    await addIn(box, '1')
    await waitFor(mailbox, '1')
    await base.run(`delete from ${table}`)
    await addIn(box, '2')
    await waitFor(mailbox, '1', '2')
  })

  if (['pg', 'Drizzle'].includes(client) && engine.dialect === 'postgres')
    test('[EVT-05] hears of the commits of other processes', async () => {
      const table = `box_${++tables}`
      const [box, mailbox] = [outbox(opened.datastore, { table }), new Mailbox()]
      box.route('news', mailbox.deliver)
      await start(box, { poll: '1h' })
      const elsewhere = await openBoxDatabase(client, engine.dialect, base.url)
      onTestFinished(() => elsewhere.close())
      const other = outbox(elsewhere.datastore, { table })
      for (const text of ['one', 'two']) {
        await elsewhere.transaction((transaction) => other.add(transaction, [message(text)]))
        await expect.poll(() => mailbox.texts.at(-1)).toBe(text)
      }
    })

  // SQLite has one writer: transactions never overlap.
  if (engine.dialect !== 'sqlite')
    test('[EVT-05] a transaction that is held open blocks no other, and is delivered when it commits', async () => {
      const [box, mailbox] = [open(), new Mailbox()]
      box.route('news', mailbox.deliver)
      await start(box)
      const gate = openGate()
      const added = openGate()
      const held = opened.transaction(async (transaction) => {
        await box.add(transaction, [message('held 1'), message('held 2')])
        added.resolve()
        await gate.promise
        await box.add(transaction, [message('held 3')])
      })
      await added.promise
      for (const text of ['a', 'b', 'c']) await addIn(box, text, `${text}${text}`)
      await waitFor(mailbox, 'a', 'aa', 'b', 'bb', 'c', 'cc')
      gate.resolve()
      await held
      await waitFor(mailbox, 'a', 'aa', 'b', 'bb', 'c', 'cc', 'held 1', 'held 2', 'held 3')
    })
}
