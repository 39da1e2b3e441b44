// Audit: who changed what, written in the transaction of the change, so that neither is there without the other.
import { type Need, need, type Plugin } from 'edict'
import { type Policy, policy } from 'edict/extend'

/** The part of a database that a transaction and the journal need; better-sqlite3 and libsql have it. */
export interface Journal {
  exec(sql: string): unknown
  prepare(sql: string): { run(...values: unknown[]): unknown }
}

/** A transaction around an action, committed with a success. */
export const transactionOf = <D extends Journal>(open: () => D): Need<D> =>
  need(
    () => {
      const database = open()
      database.exec('begin')
      return database
    },
    { done: (database, { status }) => void database.exec(status < 400 ? 'commit' : 'rollback') },
  )

/** The policy of actions whose changes are audited; `within` names their transaction among their needs. */
export const audited = (within: string): Policy => policy({ name: 'audit', plugin: 'audit', settings: within })

/** Writes the journal. */
export const audit = (): Plugin => ({
  name: 'audit',
  checkPolicy({ settings }, { needs }, report) {
    if (!Object.hasOwn(needs, String(settings)))
      report('policies', `audited names '${settings}', which is no need`, `add it: needs: { ${settings}: … }`)
  },
  enforce: ({ settings }) => ({
    settle(response, request) {
      if (response.status >= 400) return
      const transaction = request.get(String(settings)) as Journal
      const { params, payload } = request.input
      transaction
        .prepare('insert into journal (action, request, input) values (?, ?, ?)')
        .run(request.action, request.id, JSON.stringify({ params, payload }))
    },
  }),
})
