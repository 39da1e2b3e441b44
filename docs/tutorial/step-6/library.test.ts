// Step 6: tests, with the same calls and no socket.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testClient } from 'edict/testing'
import { libraryIn } from './app.ts'
import { Books } from './design.ts'

const app = await libraryIn(':memory:')

await it('lets librarians add a book', async () => {
  const api = testClient(app, { Books }, { headers: { Authorization: 'Bearer 1815' } })
  const made = await api.Books.create({}, { payload: { title: 'Persuasion', year: 1817, author: { id: 3 } } })
  assert.equal(made.status, 201)
  const found = await api.Books.show({ id: 7 })
  assert.equal(found.name === 'ok' && found.body.title, 'Persuasion')
})

await it('lets nobody else', async () => {
  const answer = await testClient(app, { Books }).Books.create({}, { payload: { title: 'Nothing' } })
  assert.equal(answer.status, 401)
})
