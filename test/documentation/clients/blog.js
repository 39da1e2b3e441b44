// A client of the example, in types that openapi-typescript makes of its document: it is checked, run against the example,
// and prints what it saw.
import createClient from 'openapi-fetch'

/** @typedef {import('./generated/blog.d.ts').paths} paths */

/**
 * @param {string} baseUrl
 * @param {(value: unknown) => void} print
 */
export async function talk(baseUrl, print) {
  /** @type {import('openapi-fetch').Client<paths>} */
  const client = createClient({ baseUrl })
  const header = { Authorization: 'Bearer ada-secret' }

  const created = await client.POST('/blogs', {
    body: { title: 'Made by a client', handle: 'by-a-client', kind: 'personal', open: true, welcome: false },
    headers: header,
  })
  const location = created.response.headers.get('location') ?? ''
  const id = Number(/\d+$/.exec(location)?.[0])

  const shown = await client.GET('/blogs/{id}', { params: { path: { id } } })
  /** @type {string | undefined} */
  const title = shown.data?.title
  /** @type {'personal' | 'company' | undefined} */
  const kind = shown.data?.kind

  const page = { pagination: 'page=1,items=2,total_count=true', order: '-created_at' }
  const listed = await client.GET('/blogs', { params: { query: page } })
  const handles = (listed.data ?? []).map(({ handle }) => handle)
  const total = Number(listed.response.headers.get('total-count'))
  const linked = listed.response.headers.get('link')?.includes('rel="next"') ?? false

  const refused = await client.GET('/blogs', { params: { query: { order: 'colour' } } })
  /** @type {string | undefined} */
  const code = refused.error?.code
  const pointers = (refused.error?.errors ?? []).map(({ pointer }) => pointer)

  print({ created: created.response.status, title, kind, handles, total, linked, code, pointers })
}

/** @param {import('openapi-fetch').Client<paths>} client */
export async function mistakes(client) {
  // @ts-expect-error there is no such path
  await client.GET('/nowhere')
  // @ts-expect-error a blog has a title
  await client.POST('/blogs', { body: { handle: 'x', kind: 'personal' } })
  // @ts-expect-error an id is a number
  await client.GET('/blogs/{id}', { params: { path: { id: 'one' } } })
}
