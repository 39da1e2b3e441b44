// The snippets of docs/guide/authentication.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region design
import { endpoint, route, security, t } from 'edict'

export interface Client {
  readonly name: string
  readonly may: readonly string[]
}

export const Key = security.apiKey<Client>('Key', { in: 'header', name: 'X-Api-Key' })

export const Books = endpoint('Books', {
  actionDefaults: { security: Key },
  actions: {
    index: { routing: route.get('/'), security: 'none', responses: { ok: 'text/plain' } },
    mine: { routing: route.get('/mine'), responses: { ok: 'text/plain' } },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      security: Key.scopes('books:remove'),
      responses: { noContent: true },
    },
  },
})
// #endregion

// #region controller
import { controller } from 'edict'

export const books = controller(Books, {
  index: () => 'Emma, Ulysses',
  mine: (_, { principal }) => `Books of ${principal.name}`, // principal: Client
  remove: (_, { reply }) => reply.noContent(),
})
// #endregion

// #region verifier
import { createHash } from 'node:crypto'
import { forbidden, verifier } from 'edict'

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Knows clients by the digests of their keys. */
export const keys = (clients: ReadonlyMap<string, Client>) =>
  verifier(Key, (key, { scopes }) => {
    const client = clients.get(digestOf(key))
    if (client === undefined) return undefined // unknown: 401
    return scopes.every((scope) => client.may.includes(scope)) ? client : forbidden // 403
  })
// #endregion

// #region application
import { application } from 'edict'

export const createApi = (clients: ReadonlyMap<string, Client>) =>
  application({ title: 'Library', controllers: [books], verifiers: [keys(clients)] })
// #endregion

const app = createApi(
  new Map([
    [digestOf('1815'), { name: 'Ada', may: ['books:remove'] }],
    [digestOf('1912'), { name: 'Alan', may: [] }],
  ]),
)

// #region test
import assert from 'node:assert/strict'
import { testClient } from 'edict/testing'

export async function testCredentials() {
  const clients = new Map([[digestOf('secret'), { name: 'Tester', may: [] }]])
  const api = createApi(clients)
  const as = (key?: string) => testClient(api, { Books }, key === undefined ? {} : { headers: { 'X-Api-Key': key } })
  assert.equal((await as('secret').Books.mine({})).status, 200)
  assert.equal((await as('another').Books.mine({})).status, 401)
  assert.equal((await as().Books.mine({})).status, 401)
  assert.equal((await as('secret').Books.remove({ id: 7 })).status, 403)
  assert.equal((await as().Books.index({})).status, 200)
}
// #endregion

await testCredentials()

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () =>
    answers(app, [
      'GET /books',
      'GET /books/mine',
      ['GET /books/mine', { headers: { 'X-Api-Key': '1815' } }],
      ['GET /books/mine', { headers: { 'X-Api-Key': '1' } }],
      ['DELETE /books/7', { headers: { 'X-Api-Key': '1815' } }],
      ['DELETE /books/7', { headers: { 'X-Api-Key': '1912' } }],
    ]),
}
