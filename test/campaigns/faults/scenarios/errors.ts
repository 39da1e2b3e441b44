// Errors at every moment of a request: one answer and one line of the log for each, and the process stays.
import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../clients.ts'
import { type Account, allowed, type Form, type Scenario } from '../scenario.ts'
import { type Line, type Subject, until } from '../subject.ts'

interface Mistake {
  readonly path: string
  readonly says: string
  /** The status of the answer; 0 when the connection is broken within it. */
  readonly status: number
  /** How many lines of the log are errors; the deadline has one of its own. */
  readonly lines?: number
}

const mistakes: readonly Mistake[] = [
  { path: 'synchronous', says: 'thrown at once', status: 500 },
  { path: 'asynchronous', says: 'thrown later', status: 500 },
  { path: 'nothing', says: 'an action that returns nothing', status: 500 },
  { path: 'before', says: 'thrown before the action', status: 500 },
  { path: 'after', says: 'thrown after the action', status: 500 },
  { path: 'around', says: 'thrown around the action', status: 500 },
  { path: 'response', says: 'thrown before the response', status: 500 },
  { path: 'stream', says: 'thrown by a stream at its start', status: 0 },
  { path: 'begun', says: 'thrown by a stream within it', status: 0 },
  { path: 'late', says: 'thrown after the deadline', status: 503, lines: 2 },
  { path: 'timer', says: 'thrown after the answer', status: 200 },
  { path: 'rejection', says: 'rejected after the answer', status: 200 },
]

async function one(subject: Subject, { path, says, status, lines = 1 }: Mistake, account: Account): Promise<void> {
  const before = subject.log.length
  const load = new Load(subject, { clients: 0, ask: () => `/mistakes/${path}`, patience: 3000 })
  load.once()
  await load.stop()
  const added = (): Line[] => subject.log.slice(before).filter(({ level }) => level === 'error')
  await until(() => added().length >= lines, allowed(2000))
  await sleep(30)
  const answers = load.answers.map((answer) => answer.status).concat(load.lost.map(() => 0))
  account.must(answers.length === 1 && answers[0] === status, `${says}: one answer of ${status}, not ${answers}`)
  account.must(added().length === lines, `${says}: ${lines} in the log, not ${added().length}`)
}

/** Many of each at the same time, among requests that are in order. */
async function many(subject: Subject, { short }: Form, account: Account): Promise<void> {
  const kinds = mistakes.filter(({ status }) => status === 500)
  const before = subject.lines('error').length
  const path = (n: number): string => (n % 2 === 0 ? '/wait/1' : `/mistakes/${kinds[(n >> 1) % kinds.length]?.path}`)
  const load = new Load(subject, { clients: 20, ask: path })
  await sleep(short ? 1000 : 5000)
  await load.stop()
  const right = load.answers.filter(({ number, status }) => status === (number % 2 === 0 ? 200 : 500)).length
  await until(() => subject.lines('error').length - before >= load.failed, allowed(3000))
  const logged = subject.lines('error').length - before
  account.rows.push({
    fault: 'every other request fails in one of 7 ways',
    load: '20 clients',
    sent: load.sent,
    failed: load.sent - right,
    lost: load.lost.length,
    note: `${load.failed} with 500 as expected, ${logged} lines in the log`,
  })
  account.must(right === load.sent, `errors under load: each has its own answer, ${load.sent - right} have not`)
  account.must(logged === load.failed, `errors under load: one line each, ${logged} of ${load.failed}`)
}

/** The promise about errors. */
export const errors: Scenario = {
  name: 'errors',
  says: 'an error is one answer and one line of the log, whenever it is thrown, and the process stays',
  safeguards: ['uncaught'],
  async run(form, account) {
    const serve = form.without === 'uncaught' ? { fatal: false } : {}
    const subject = await account.start({ serve, deadline: 300 })
    for (const mistake of mistakes) if (subject.alive) await one(subject, mistake, account)
    account.must(subject.alive, 'errors: the process stays')
    if (subject.alive) await many(subject, form, account)
    await subject.kill()
  },
}
