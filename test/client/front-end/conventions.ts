// A front end of contracts with other conventions of lists: limit and offset, and orders in words.
import { endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { aip, limitOffset } from 'edict/pagination'

const Article = mediaType('Article', { attributes: { id: t.integer({ required: true }), title: t.string() } })
const byOffset = limitOffset.for(Article, { orderBy: ['id', 'title'] })
const byToken = aip.for(Article, { orderBy: ['id', 'title'], filterBy: { title: {} } })

const Articles = endpoint('Articles', {
  mediaType: Article,
  actions: {
    index: { routing: route.get('/'), params: byOffset.params, responses: { ok: byOffset.body } },
    tokens: { routing: route.get('/tokens'), params: byToken.params, responses: { ok: byToken.body } },
  },
})

type Fetch = (request: Request) => Promise<Response>

const { index, tokens } = ((fetch: Fetch) => client({ Articles }, { baseUrl: 'http://articles.test', fetch }).Articles)(
  (request) => sender.fetch(request),
)

/** Where the requests of this front end go. */
export const sender: { fetch: Fetch } = { fetch: (request) => fetch(request) }

async function allOf(elements: AsyncIterable<{ readonly id: number }>): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of elements) ids.push(id)
  return ids
}

export const walks = async (): Promise<readonly number[][]> => [
  await allOf(index.all({ limit: 2, sort: [{ field: 'title', descending: true }] })),
  await allOf(tokens.all({ page_size: 2, order_by: [{ field: 'title', descending: true }], filter: 'title = "Emma"' })),
]
