// Workers that are replaced, on request or after a crash, while clients send requests.
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../clients.ts'
import { type Account, allowed, type Scenario } from '../scenario.ts'
import { type Subject, until } from '../subject.ts'

const clients = 40
const replaced = ({ log }: Subject): number =>
  log.filter(({ message }) => message === 'Every worker was replaced').length

/** The promise of a rolling restart. */
export const restart: Scenario = {
  name: 'restart',
  says: 'SIGUSR2 and SIGHUP replace every worker, one by one, without a failed request',
  safeguards: ['successor'],
  async run({ short, without }, account) {
    const trap = join(tmpdir(), `edict-faults-${crypto.randomUUID()}`)
    const subject = await account.start({ serve: { workers: 2 }, trap })
    const load = new Load(subject, { clients, ask: () => '/wait/5' })
    await until(() => load.answered > 500)
    const signals = short ? (['SIGUSR2'] as const) : (['SIGUSR2', 'SIGHUP', 'SIGUSR2', 'SIGHUP'] as const)
    for (const signal of signals) {
      const [before, rounds] = [subject.workers(), replaced(subject)]
      if (without === 'successor') for (const pid of before) process.kill(pid, 'SIGKILL')
      else subject.process.kill(signal)
      await until(() => replaced(subject) > rounds, without === undefined ? 30_000 : 3000)
      const now = subject.workers()
      account.must(
        now.length === 2 && !now.some((pid) => before.includes(pid)),
        `${signal}: two new workers, not ${now}`,
      )
    }
    if (without === undefined) await faulty(subject, trap, account)
    await load.stop()
    account.add(`rolling restart, ${signals.length} times`, `${clients} clients, 2 workers`, load)
    account.whole('rolling restart', load)
    await subject.kill()
  },
}

/** A new version that does not start costs nothing: the old workers go on. */
async function faulty(subject: Subject, trap: string, account: Account): Promise<void> {
  const before = subject.workers()
  writeFileSync(trap, '')
  subject.process.kill('SIGUSR2')
  const told = await until(() =>
    subject.lines('error').some(({ message }) => message.startsWith('A new worker did not')),
  )
  rmSync(trap)
  account.must(told, 'a version that does not start: the log says so')
  await sleep(300)
  account.must(`${subject.workers()}` === `${before}`, 'a version that does not start: the old workers go on')
}

/** The promise of supervision. */
export const crash: Scenario = {
  name: 'crash',
  says: 'a worker that dies costs at most what it was working on; it is replaced, and the others serve',
  safeguards: ['supervisor'],
  async run({ without }, account) {
    const workers = without === 'supervisor' ? 1 : 2
    const subject = await account.start({ serve: { workers, fatal: true } })
    const load = new Load(subject, { clients, ask: () => '/wait/5' })
    await until(() => load.answered > 500)
    const before = subject.workers()
    const victim = before[0] ?? (subject.process.pid as number)
    process.kill(victim, 'SIGKILL')
    const whole = await until(async () => subject.alive && (await subject.serving()).size === workers, allowed(6000))
    const lostThen = load.lost.length
    await sleep(500)
    await load.stop()
    account.add('kill -9 of a worker', `${clients} clients, ${workers} workers`, load, {
      note: `at most ${clients} may be lost`,
    })
    account.must(whole && load.closed === 0, 'kill -9: somebody serves all the time, and the worker is replaced')
    account.must(load.failed + load.refused === 0, 'kill -9: no answer is a failure')
    account.must(load.lost.length <= clients, `kill -9: at most one request of each client, not ${load.lost.length}`)
    account.must(load.lost.length === lostThen, 'kill -9: nothing is lost afterwards')
    if (subject.alive) await uncaught(subject, account)
    await subject.kill()
  },
}

async function uncaught(subject: Subject, account: Account): Promise<void> {
  const before = subject.workers()
  const load = new Load(subject, { clients, ask: (number) => (number === 400 ? '/mistakes/timer' : '/wait/5') })
  const replacedOne = await until(async () => {
    const now = await subject.serving()
    return load.answered > 1000 && now.size === 2 && [...now].some((pid) => !before.includes(pid))
  })
  await load.stop()
  account.add('uncaught error in a worker, `fatal: true`', `${clients} clients, 2 workers`, load)
  account.must(replacedOne, 'uncaught error: the worker is replaced')
  account.whole('uncaught error', load)
}
