// Books, asked as a client would, over a database in memory.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Application } from 'edict'
import { createApi } from '../src/api.ts'
import { type Database, openDatabase } from '../src/database.ts'
import { ask } from './ask.ts'

const first = { title: 'A', year: 1 }
const second = { title: 'B', year: 2 }

describe('Books', () => {
  let database: Database
  let app: Application

  beforeEach(async () => {
    database = openDatabase(':memory:')
    await database.prepare()
    app = createApi(database)
  })

  afterEach(() => database.close())

  it('adds a book, shows, changes and removes it', async () => {
    const { status, headers } = await ask(app, 'POST /books', first)
    assert.deepEqual([status, headers.get('location')], [201, '/books/1'])
    assert.deepEqual((await ask(app, 'GET /books/1')).body, { id: 1, ...first })
    assert.equal((await ask(app, 'PATCH /books/1', { title: second.title })).status, 204)
    assert.equal((await ask(app, 'GET /books/1')).body.title, second.title)
    assert.equal((await ask(app, 'DELETE /books/1')).status, 204)
    assert.equal((await ask(app, 'GET /books/1')).status, 404)
  })

  it('lists books in parts, in an order, filtered, with the fields that are wanted', async () => {
    for (const sent of [first, second]) await ask(app, 'POST /books', sent)
    const { body, headers } = await ask(app, 'GET /books?order=-id&pagination=items=1,total_count=true&fields=id')
    assert.deepEqual(body, [{ id: 2 }])
    assert.equal(headers.get('total-count'), '2')
    assert.match(headers.get('link') ?? '', /rel="next"/)
    const filters = encodeURIComponent(`title=${first.title}`)
    assert.deepEqual((await ask(app, `GET /books?filters=${filters}`)).body, [{ id: 1, ...first }])
  })

  it('refuses what does not match its declaration', async () => {
    const { status, body } = await ask(app, 'POST /books', { ...first, title: '' })
    assert.deepEqual([status, body.errors[0].pointer], [400, '/title'])
    assert.equal((await ask(app, 'GET /books?colour=red')).status, 400)
  })
})
