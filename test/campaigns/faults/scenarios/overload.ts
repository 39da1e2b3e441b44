// More than a process can do: with a bound the admitted requests stay fast, without it everybody waits longer and longer.
import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../clients.ts'
import { type Account, allowed, type Form, type Scenario } from '../scenario.ts'
import { until } from '../subject.ts'

const ms = (value: number): string => `${value.toFixed(0)} ms`
const good = (status: number): boolean => status === 200

/**
 * Four at a time, 20 ms each, is 200 in a second; clients come at twice this rate, whether or not others have been
 * answered, as clients on the internet do.
 */
async function requests({ short, without }: Form, account: Account): Promise<void> {
  const bounded = without !== 'limit'
  const subject = await account.start({ serve: { maxRequests: bounded ? 20 : 0 }, deadline: 30_000 })
  const seconds = short ? 4 : 15
  const load = new Load(subject, { clients: 0, ask: () => '/queue/20', patience: 30_000 })
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) {
    const due = Math.floor((performance.now() - started) * 0.4) - load.sent
    for (let n = 0; n < due; n++) load.once()
    await sleep(10)
  }
  await load.stop()
  const half = (seconds * 1000) / 2
  const [early, late] = [load.took(0.99, good, 0, half), load.took(0.99, good, half)]
  const answered = load.answered - load.refused
  const refusal = load.took(0.99, (status) => status === 503)
  const figures = `${answered} served, ${load.refused} refused (99 %: ${ms(refusal)}); 99 % served within ${ms(early)}, then ${ms(late)}`
  const name = bounded ? 'twice the load it can serve, maxRequests 20' : 'twice the load it can serve, no bound'
  account.add(name, '400 in a second', load, { note: figures, expects503: true })
  account.must(load.failed + load.lost.length === 0, `${name}: nothing failed and nothing was lost`)
  account.must(answered > seconds * 50, `${name}: it goes on serving what it can`)
  account.must(
    late < Math.min(2000, allowed(600)),
    `${name}: admitted requests are answered within 600 ms to the end, not ${ms(late)}`,
  )
  await subject.kill()
}

/** Every request takes 4 ms of the processor, and a hundred clients want one at the same time. */
async function delay({ short, without }: Form, account: Account): Promise<void> {
  const bounded = without !== 'delay'
  const subject = await account.start({ serve: { maxDelay: bounded ? 40 : 0 } })
  // Connections are accepted one in each turn of the loop: that takes its time when turns are long, and is done before.
  const begun = { at: Number.POSITIVE_INFINITY }
  const started = performance.now()
  const load = new Load(subject, {
    clients: 150,
    ask: () => (performance.now() < begun.at ? '/text' : '/burn/4'),
    pause: 20,
  })
  await until(() => load.heard >= 150)
  begun.at = performance.now()
  await sleep(short ? 3000 : 10_000)
  await load.stop()
  const took = load.took(0.95, good, begun.at - started)
  const answered = load.answered - load.refused
  const name = bounded ? 'busy processor, maxDelay 40' : 'busy processor, no bound'
  const note = `${answered} served, ${load.refused} refused; 95 % served within ${ms(took)}`
  account.add(name, '150 clients', load, { note, expects503: true })
  account.must(load.failed + load.lost.length === 0, `${name}: nothing failed and nothing was lost`)
  account.must(answered > 50, `${name}: it goes on serving what it can`)
  account.must(took < allowed(300), `${name}: admitted requests are answered within 300 ms, not ${ms(took)}`)
  await subject.kill()
}

/** The promise about overload. */
export const overload: Scenario = {
  name: 'overload',
  says: 'what is too much is refused at once, and what is admitted stays fast',
  safeguards: ['limit', 'delay'],
  async run(form, account) {
    if (form.without !== 'delay') await requests(form, account)
    if (form.without !== 'limit') await delay(form, account)
  },
}
