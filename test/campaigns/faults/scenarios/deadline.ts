// Actions that never come to an end: the deadline answers for them, and tells them.
import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../clients.ts'
import { allowed, type Scenario } from '../scenario.ts'
import { until } from '../subject.ts'

/** The promise about deadlines. */
export const deadline: Scenario = {
  name: 'deadline',
  says: 'an action that takes too long is answered with 503 in time, and told by its signal',
  safeguards: ['deadline'],
  async run({ short, without }, account) {
    const subject = await account.start({ deadline: without === 'deadline' ? 0 : 300 })
    const patience = 3000
    const load = new Load(subject, { clients: 50, ask: (n) => (n % 2 === 0 ? '/wait/1' : '/patient'), patience })
    await sleep(short ? 1500 : 10_000)
    await load.stop()
    const late = load.answers.filter(({ status, number }) => status === 503 && number % 2 === 1)
    const slowest = Math.max(0, ...load.answers.map(({ took }) => took))
    const note = `${late.length} with 503 as expected, slowest answer ${slowest.toFixed(0)} ms`
    account.add('every other action never ends', '50 clients', load, { note, expects503: true })
    account.must(load.lost.length === 0, `deadline: every request has an answer, not ${load.lost.length} without`)
    account.must(late.length > 20 && late.length === load.refused, `deadline: 503 for those that wait, ${late.length}`)
    account.must(slowest < allowed(1500), `deadline: in time, not after ${slowest.toFixed(0)} ms`)
    const told = await until(async () => (await subject.gauge()).late === late.length, allowed(2000))
    account.must(told, 'deadline: every action that waited was told by its signal')
    await subject.kill()
  },
}
