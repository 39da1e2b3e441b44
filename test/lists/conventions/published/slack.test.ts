// Slack's lists in their published form: "Pagination" of its Web API, as in conversations.list.
import { slack } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { askBooks, Book, expectKnown, expectRefused, serveBooks } from './shelf.ts'

const list = slack.for(Book, { order: ['-year'], filterBy: { title: { operators: ['='] } } })
const app = serveBooks(list)

describe('[FOR-08] lists of Slack', () => {
  it('[FOR-08] have ok, the elements, and the next cursor in their metadata', async () => {
    const { response_metadata: metadata, ...rest } = await askBooks(app, 'limit=1')
    expect(rest).toEqual({ ok: true, items: [{ id: 2, title: 'Emma', year: null }] })
    expect(metadata).toEqual({ next_cursor: expect.stringMatching(/^[\w-]+$/) })
  })

  it('[FOR-08] go on from a cursor, and end with an empty one', async () => {
    const ids: number[] = []
    let cursor = ''
    do {
      const { items, response_metadata: metadata } = await askBooks(app, `limit=2&cursor=${cursor}`)
      ids.push(...items.map(({ id }: { readonly id: number }) => id))
      cursor = metadata.next_cursor
    } while (cursor !== '')
    expect(ids).toEqual([2, 3, 1, 5, 4])
    expect((await askBooks(app, 'limit=9')).response_metadata).toEqual({ next_cursor: '' })
    expect((await askBooks(app, 'title=none')).response_metadata).toEqual({ next_cursor: '' })
  })

  it('[FOR-08] give fewer than too many, and the default for 0', async () => {
    expect((await askBooks(app, 'limit=5000')).items).toHaveLength(5)
    expect((await askBooks(app, 'limit=0')).items).toHaveLength(5)
  })

  it('[FOR-08] refuse cursors of other lists, and negative limits', async () => {
    const { next_cursor: cursor } = (await askBooks(app, 'limit=1')).response_metadata
    await expectRefused(app, [
      ['cursor=dXNlcjpVMDYx', "The parameter 'cursor' is not a cursor of this list"],
      [`cursor=${cursor}&title=Emma`, "The parameter 'cursor' is not a cursor of this list"],
      ['limit=-1', "The parameter 'limit' must be at least 0"],
      ['types=im', "The parameter 'types' is not a known name"],
    ])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, { limit: 2 })
  })
})
