// A database that is slow, locked, out of connections, stopped, frozen or restarted under a server that stays.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../app/settings.ts'
import { type Heard, Load } from '../clients.ts'
import { Postgres } from '../postgres.ts'
import { type Account, allowed, type Form, type Scenario } from '../scenario.ts'
import { type Subject, until } from '../subject.ts'

/** Without these, one fault of a database becomes a fault of the whole server. */
const safeguards = ['statement-timeout', 'pool-timeout', 'pool-listener'] as const

function settings(url: string, without: string | undefined): Settings {
  return {
    database: url,
    deadline: 2500,
    poolListener: without !== 'pool-listener',
    pool: {
      max: 4,
      connectionTimeoutMillis: without === 'pool-timeout' ? 0 : 500,
      ...(without === 'statement-timeout' && { statement_timeout: 0, query_timeout: 0 }),
    },
  }
}

/** Half of the clients ask the database, the others do not need it. */
const ask = (n: number): string => (n % 2 === 0 ? '/notes?pagination=items=1' : '/wait/1')
const needsDatabase = ({ number }: Heard): boolean => number % 2 === 0

interface World {
  readonly subject: Subject
  readonly postgres: Postgres
  readonly account: Account
  readonly short: boolean
}

/** Holds a load while something is done to the database and undone again; tells what clients saw. */
async function during(
  world: World,
  fault: string,
  harm: () => Promise<void>,
  mend: () => Promise<void>,
): Promise<void> {
  const { subject, postgres, account, short } = world
  const load = new Load(subject, { clients: 12, ask, pause: 5, patience: 6000 })
  await until(() => load.answered > 50, 5000)
  const connected = await postgres.connections()
  await harm()
  await sleep(short ? 900 : 3000)
  await mend()
  const back = await until(
    async () => (await subject.ask('/notes?pagination=items=1', 3000)).status === 200,
    allowed(8000),
  )
  await sleep(200)
  const kept = await postgres.connections()
  await load.stop()
  const others = load.answers.filter((answer) => !needsDatabase(answer) && answer.status !== 200).length
  const slowest = Math.max(0, ...load.answers.filter(needsDatabase).map(({ took }) => took))
  const note = `${load.refused} with 503 as expected, slowest ${slowest.toFixed(0)} ms`
  account.add(fault, '12 clients, half of them need the database', load, { note, expects503: true })
  account.must(load.failed + load.lost.length === 0, `${fault}: every request is answered, with 200 or 503`)
  account.must(others === 0, `${fault}: who needs no database sees nothing of it, but ${others} did`)
  // A database may be back before anyone asks for it, but not with the connections that it had.
  const broken = connected.length > 0 && !connected.some((one) => kept.includes(one))
  account.must(load.refused > 0 || broken, `${fault}: the fault was felt at all`)
  account.must(slowest < allowed(3500), `${fault}: nobody hangs, but one waited ${slowest.toFixed(0)} ms`)
  account.must(back && subject.alive, `${fault}: it serves again by itself`)
}

/** Another session holds the table: every statement waits until it is given up. */
async function locked(world: World): Promise<void> {
  const { subject, postgres, account } = world
  const holder = await postgres.client()
  await during(
    world,
    'table locked by another session',
    async () => {
      await holder.query('begin; lock table notes in access exclusive mode')
      await sleep(600)
    },
    async () => {
      await holder.query('rollback')
    },
  )
  await holder.query('begin; lock table notes in access exclusive mode')
  const started = performance.now()
  const asked = await Promise.all(Array.from({ length: 12 }, () => subject.ask('/notes', 5000)))
  const took = performance.now() - started
  await sleep(300)
  const { pool } = await subject.gauge()
  account.must(
    asked.every(({ status }) => status === 503),
    `locked: 503, not ${asked.map(({ status }) => status)}`,
  )
  account.must(took < allowed(2000), `pool exhausted: refused in time, not after ${took.toFixed(0)} ms`)
  account.must(pool.idle === pool.total && pool.waiting === 0, `locked: connections are back: ${JSON.stringify(pool)}`)
  const outcome = `12 asked at once for 4 connections: 503 within ${took.toFixed(0)} ms, pool ${JSON.stringify(pool)}`
  const failed = asked.filter(({ status }) => status !== 503).length
  account.rows.push({ fault: 'pool exhausted', load: '12 at once', sent: 12, failed, lost: 0, note: outcome })
  await holder.query('rollback')
  await holder.end()
}

/** Idle connections that break must fail no request. */
async function idle({ subject, postgres, account }: World): Promise<void> {
  const askAll = () => Promise.all(Array.from({ length: 8 }, () => subject.ask('/notes')))
  await askAll()
  await postgres.stop()
  await sleep(300)
  const { alive } = subject
  await postgres.start()
  const failed = (await askAll()).filter(({ status }) => status !== 200).length
  account.rows.push({
    fault: 'database restarted without load',
    load: 'none',
    sent: 16,
    failed,
    lost: 0,
    note: '',
  })
  account.must(alive && failed === 0, `restarted without load: no request may fail, but ${failed} did`)
}

async function play({ short, without }: Form, account: Account, postgres: Postgres): Promise<void> {
  await postgres.run('create table notes (id serial primary key, text text not null)')
  await postgres.run("insert into notes (text) values ('one'), ('two')")
  const subject = await account.start(settings(postgres.url, without))
  const world = { subject, postgres, account, short }
  if (without !== 'pool-listener') await locked(world)
  if (without === undefined || without === 'pool-listener') await idle(world)
  if (without !== undefined) return
  const stop = (): Promise<void> => postgres.stop()
  await during(world, 'database stopped and started', stop, () => postgres.start())
  const nothing = async (): Promise<void> => {}
  await during(world, 'database crashed, recovers by itself', () => postgres.crash(), nothing)
  await during(
    world,
    'database frozen',
    async () => postgres.freeze(),
    async () => postgres.thaw(),
  )
  account.must(
    subject.lines('raw').length === 0,
    `database: nothing but log lines: ${subject.lines('raw')[0]?.message}`,
  )
}

/** The promise about databases. */
export const database: Scenario = {
  name: 'database',
  says: 'a database that fails is a 503 in time for those who need it, and nothing when it is back',
  safeguards,
  async run(form, account) {
    const postgres = await Postgres.create()
    try {
      await play(form, account, postgres)
    } finally {
      await account.end()
      await postgres.close()
    }
  },
}
