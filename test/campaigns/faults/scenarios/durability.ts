// Every write answered with 201 is in the database, even if every process of the server was killed the moment after.
import { Load, post } from '../clients.ts'
import { notesFile } from '../file.ts'
import { Postgres } from '../postgres.ts'
import type { Account, Form, Scenario } from '../scenario.ts'
import { until } from '../subject.ts'

interface Store {
  readonly name: string
  readonly url: string
  readonly workers: number
  /** The texts of all notes. */
  texts(): Promise<readonly unknown[]>
}

async function killed({ name, url, workers, texts }: Store, { without, short }: Form, account: Account): Promise<void> {
  const written: string[] = []
  let [sent, lost, failed] = [0, 0, 0]
  for (let round = 0; round < (short ? 1 : 5); round++) {
    const subject = await account.start({ database: url, early: without === 'order', serve: { workers } })
    const load = new Load(subject, {
      clients: workers === 1 ? 4 : 16,
      ask: (n) => post('/notes', { text: `${round} ${n}` }),
      heard: ({ number, status }) => {
        if (status === 201) written.push(`${round} ${number}`)
      },
    })
    const least = written.length + 150
    await until(() => written.length > least)
    await subject.kill()
    await load.end()
    sent += load.sent
    lost += load.lost.length
    failed += load.failed + load.refused
  }
  const there = new Set(await texts())
  const missing = written.filter((text) => !there.has(text)).length
  const note = `${written.length} answered with 201, ${missing} of them missing; lost ones were under way`
  account.rows.push({ fault: `kill -9, ${name}`, load: `${workers} processes`, sent, failed, lost, note })
  account.must(written.length > 100 && failed === 0, `${name}: writes were answered, ${failed} were not`)
  account.must(missing === 0, `${name}: every answered write is there, ${missing} are not`)
}

async function inPostgres(form: Form, account: Account): Promise<void> {
  const postgres = await Postgres.create()
  try {
    await postgres.run('create table notes (id serial primary key, text text not null)')
    const texts = async () => (await postgres.run('select text from notes')).map(({ text }) => text)
    await killed({ name: 'PostgreSQL', url: postgres.url, workers: 2, texts }, form, account)
  } finally {
    await account.end()
    await postgres.close()
  }
}

async function inFile(form: Form, account: Account): Promise<void> {
  const { url, texts, remove } = await notesFile()
  try {
    await killed({ name: 'a file of SQLite', url, workers: 1, texts }, form, account)
  } finally {
    await account.end()
    remove()
  }
}

/** The promise about writes. */
export const durability: Scenario = {
  name: 'durability',
  says: 'a write that was answered is in the database after kill -9 of every process of the server',
  safeguards: ['order'],
  async run(form, account) {
    await inPostgres(form, account)
    await inFile(form, account)
  },
}
