// The tool `indexes` through every datastore: the same lists, judged by the indexes of each database.
import { expect, test } from 'vitest'
import type { IndexesReport } from '../../../src/plugins/mapper/indexes/report.ts'
import { everywhere, isDatabase } from '../../support/library/reader.ts'

await everywhere((reader) => {
  test('[LST-11] every datastore tells which lists its database serves', async () => {
    const { lists, missing } = (await reader.app.tools['indexes']!()) as IndexesReport
    const found = (place: string, order: string, filters = '') =>
      lists.find((one) => one.origin === place && one.order === order && one.filters === filters)
    if (!isDatabase(reader.shelf)) {
      expect(missing).toEqual([])
      expect(found('Books.index', 'title')?.reason).toBe('its datastore has no indexes')
      return
    }
    const isPostgres = reader.dialect === 'postgres'
    expect(found('Books.index', 'id')?.index).toMatch(/^(?:primary key|PRIMARY|books_pkey)$/)
    expect(found('Books.index', 'author.name')?.reason).toMatch(/column of authors, and no index spans two tables$/)
    const title = found('Books.index', 'title')
    // SQLite and InnoDB have the key at the end of every index.
    expect(title?.create?.replaceAll('`', '"')).toBe(
      `create index "books_title_${isPostgres ? 'id_' : ''}idx" on "books" ("title"${isPostgres ? ', "id"' : ''})`,
    )
    expect(title?.statement).toMatch(/^(?:\/\*.*?\*\/ )?select .*order by t0\."?`?title.* limit 100$/)
    // A key that was declared is that of the table, and reviews of a book are found by its beginning.
    expect(found('Reviews.index', 'book_id')?.index).toBeDefined()
    expect(found('Book.reviews', '', 'book_id=')?.index).toBeDefined()
    expect(missing.every(({ create }) => lists.some((one) => one.create === create))).toBe(true)
  })
})
