// Shutdown under load, of one process and of several: every request that was sent is answered.
import { Load } from '../clients.ts'
import type { Account, Form, Scenario } from '../scenario.ts'
import { until } from '../subject.ts'

interface Case {
  readonly fault: string
  readonly path: string
  readonly workers: number
}

const cases: readonly Case[] = [
  { fault: 'SIGTERM, answers after 5 ms', path: '/wait/5', workers: 1 },
  { fault: 'SIGTERM, answers at once', path: '/text', workers: 1 },
  { fault: 'SIGTERM, 2 workers', path: '/wait/5', workers: 2 },
]

async function signalled({ fault, path, workers }: Case, { without }: Form, account: Account): Promise<void> {
  const subject = await account.start({ serve: { workers } })
  const load = new Load(subject, { clients: 60, ask: () => path })
  await until(() => load.answered > 1500)
  if (without === 'drain') await subject.kill()
  else subject.process.kill('SIGTERM')
  await load.end()
  const code = await subject.ended
  account.add(fault, '60 clients', load, { note: `exit ${code}` })
  account.whole(fault, load)
  account.must(code === 0, `${fault}: it ends with 0, not ${code}`)
}

/** The promise of a graceful shutdown. */
export const shutdown: Scenario = {
  name: 'shutdown',
  says: 'a server that is told to stop answers everything that was sent to it',
  safeguards: ['drain'],
  async run(form, account) {
    const chosen = form.short ? cases.filter(({ path }) => path !== '/text') : cases
    for (let round = 0; round < (form.short ? 1 : 5); round++) {
      for (const one of chosen) await signalled(one, form, account)
    }
  },
}
