// The snippets of docs/guide/inputs.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region params
import { application, endpoint, route, t } from 'edict'

const Books = endpoint('Books', {
  actions: {
    search: {
      routing: route.get('/:shelf'),
      params: {
        shelf: t.string(),
        author: t.object({ id: t.integer(), name: t.string() }),
        tags: t.array(t.string()),
      },
      responses: { ok: t.any() },
      ignore: ['utm_*'],
    },
  },
})
// #endregion

// #region lists
const Shelves = endpoint('Shelves', {
  actions: {
    find: {
      routing: route.get('/'),
      params: {
        ids: t.array(t.integer(), { delimiter: ',', max: 20 }),
        tags: t.array(t.string(), { delimiter: ',' }),
        lines: t.array(t.object({ title: t.string({ required: true }), copies: t.integer({ default: 1 }) })),
      },
      responses: { ok: t.any() },
    },
  },
})
// #endregion

// #region json
const Finds = endpoint('Finds', {
  actions: {
    find: {
      routing: route.get('/'),
      params: {
        filter: t.json(t.object({ year: t.integer(), tags: t.array(t.string()) })),
      },
      responses: { ok: t.any() },
    },
  },
})
// #endregion

// #region headers
import { header } from 'edict'

const Doors = endpoint('Doors', {
  actions: {
    open: {
      routing: route.post('/:id'),
      params: { id: t.integer() },
      headers: {
        Authorization: header(),
        'X-Attempt': header(t.integer()),
        'X-Trace': header(/[0-9a-f]{8}/),
        'X-Mode': header('quiet'),
        'X-Key': header('brass', { required: true }),
        'X-Floor': t.integer({ required: true, min: 0, max: 3 }),
      },
      responses: { ok: 'text/plain' },
    },
  },
})
// #endregion

const books = Books.implement({ search: (params, { reply }) => reply.ok(params) })
const shelves = Shelves.implement({ find: (params, { reply }) => reply.ok(params) })
const finds = Finds.implement({ find: (params, { reply }) => reply.ok(params) })
const doors = Doors.implement({
  open: ({ id }, { request }) => `Door ${id} on floor ${request.headers['X-Floor']}`,
})

/** The application of this page. */
export const app = application({ controllers: [books, shelves, finds, doors] })

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  params: () =>
    answers(app, [
      'GET /books/A1?author[id]=7&tags=sea&tags=ships',
      'GET /books/A1?author%5Bid%5D=7&tags[]=sea',
      'GET /books/A1?shelf=B2&utm_source=mail',
      'GET /books/A1?author[id]=seven&tag=sea',
      'GET /books/A1?author=7&author[id]=7',
    ]),
  lists: () =>
    answers(app, [
      'GET /shelves?ids=7,8,9',
      'GET /shelves?ids=',
      'GET /shelves?ids=7,eight',
      'GET /shelves?tags=sea%2C+deep,ships',
      'GET /shelves?tags[]=sea&tags[]=ships',
      'GET /shelves?lines[][title]=Emma&lines[][copies]=2&lines[][title]=Persuasion',
      'GET /shelves?lines[0][title]=Emma&lines[1][title]=Persuasion',
    ]),
  json: () =>
    answers(app, [
      'GET /finds?filter={"year":1815,"tags":["sea"]}',
      'GET /finds?filter=%7B%22year%22:1815%7D',
      'GET /finds?filter={"year":"soon"}',
      'GET /finds?filter={"year":1815',
      'GET /finds?filter[year]=1815',
    ]),
  headers: () => exchange(app, 'POST /doors/4', { headers: { 'X-Mode': 'loud', 'X-Key': 'brass', 'X-Attempt': '2' } }),
}
