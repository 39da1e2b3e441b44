// The snippets of docs/guide/drift.md.
import type { Shown } from '../../scripts/snippets.ts'
import { ask } from './support/http.ts'

// #region smallest
import { application, endpoint, mediaType, route, t } from 'edict'
import { drift } from 'edict/drift'

const Book = mediaType('Book', {
  attributes: { id: t.integer(), title: t.string({ required: true, max: 20 }) },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: { index: { routing: route.get('/'), responses: { ok: t.array(Book) } } },
})

const watch = drift({ sample: 0.5 })

export const app = application({
  controllers: [
    Books.implement({
      index: (_, { reply }) =>
        reply.ok([
          { id: 1, title: 'Emma' },
          { id: 2, title: 'The Man Without Qualities' },
        ]),
    }),
  ],
  plugins: [watch],
  environment: 'production',
})
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  async findings() {
    const warn = console.warn
    console.warn = () => {}
    for (let n = 0; n < 10; n++) await ask(app, 'GET /books')
    console.warn = warn
    return watch
      .findings()
      .map(({ count, action, part: place, pointer, code }) => `${count}  ${action}  ${place} ${pointer}  ${code}`)
      .join('\n')
  },
}
