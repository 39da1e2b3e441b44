// The snippets of docs/guide/related-lists.md.
import { mediaType, t } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'

const number = { kind: 'integer' } as const
const made = { kind: 'integer', generated: true } as const
const datastore = memoryDatastore({
  posts: {
    columns: { id: number, title: { kind: 'text' } },
    key: ['id'],
    rows: [
      { id: 1, title: 'Locks' },
      { id: 2, title: 'Keys' },
    ],
  },
  routes: { columns: { id: made, name: { kind: 'text' } }, key: ['id'], rows: [] },
  stops: { columns: { id: made, route_id: number, town: { kind: 'text' }, place: number }, key: ['id'], rows: [] },
  comments: {
    columns: { id: number, post_id: number, stars: number, hidden: { kind: 'boolean' } },
    key: ['id'],
    rows: [5, 3, 4, 1, 2].map((stars, i) => ({ id: i + 1, post_id: (i % 2) + 1, stars, hidden: stars === 4 })),
  },
})

// #region declared
import { many, resource } from 'edict/mapper'

const id = t.integer({ required: true })
const Comment = mediaType('Comment', { attributes: { id, stars: t.integer(), hidden: t.boolean() } })
const Post = mediaType('Post', { attributes: { id, title: t.string(), comments: t.array(Comment) } })

const comments = resource(datastore, Comment, { table: 'comments' })
const posts = resource(datastore, Post, {
  table: 'posts',
  attributes: {
    comments: many(comments, { id: 'post_id' }, { order: ['-id'], where: { hidden: false }, limit: 5 }),
  },
})
// #endregion

async function asked(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (...all: unknown[]) => said.push(all.map((one) => JSON.stringify(one)).join(' ')) }
  // #region asked
  const page = await posts.list({
    fields: ['title', 'comments.stars'],
    related: { comments: { where: { stars: { '>=': 2 } }, order: ['-stars'], limit: 1 } },
  })
  console.log(page)
  // #endregion
  return said.join('\n')
}

// #region position
const Stop = mediaType('Stop', { attributes: { id, town: t.string() } })
const Route = mediaType('Route', { attributes: { id, name: t.string(), stops: t.array(Stop) } })

const stops = resource(datastore, Stop, { table: 'stops' })
const routes = resource(datastore, Route, {
  table: 'routes',
  attributes: { stops: many(stops, { id: 'route_id' }, { position: 'place' }) },
})
// #endregion

async function written(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (...all: unknown[]) => said.push(all.map((one) => JSON.stringify(one)).join(' ')) }
  // #region written
  const { id } = await routes.create({ name: 'Coast', stops: [{ town: 'Lyme' }, { town: 'Bath' }] })
  await routes.update(id, { stops: { add: [{ town: 'Hull' }] } })
  const [lyme, bath, hull] = (await routes.find(id, { fields: ['stops'] }))?.stops ?? []
  await routes.update(id, { stops: [hull, lyme, bath].map((stop) => ({ id: stop?.id })) })
  console.log(await routes.find(id, { fields: ['name', 'stops.town'] }))
  // #endregion
  return said.join('\n')
}

/** The page shows these. */
export const shown: Shown = { asked, written }
