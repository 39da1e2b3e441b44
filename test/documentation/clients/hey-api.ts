// The same client, by @hey-api/openapi-ts and its fetch client.
import { createClient } from './generated/hey-api/client/index.js'
import { blogsShow, createBlog, listBlogs } from './generated/hey-api/sdk.gen.js'

export async function talk(baseUrl: string, print: (value: unknown) => void): Promise<void> {
  const client = createClient({ baseUrl, auth: 'ada-secret' })

  const created = await createBlog({
    client,
    body: { title: 'Made by a client', handle: 'by-a-client', kind: 'personal', open: true, welcome: false },
  })
  const location = created.response?.headers.get('location') ?? ''
  const id = Number(/\d+$/.exec(location)?.[0])

  const shown = await blogsShow({ client, path: { id } })
  const title: string | undefined = shown.data?.title
  const kind: 'personal' | 'company' | undefined = shown.data?.kind

  const query = { pagination: 'page=1,items=2,total_count=true', order: '-created_at' }
  const listed = await listBlogs({ client, query })
  const handles = (listed.data ?? []).map(({ handle }) => handle)
  const total = Number(listed.response?.headers.get('total-count'))
  const linked = listed.response?.headers.get('link')?.includes('rel="next"') ?? false

  const refused = await listBlogs({ client, query: { order: 'colour' } })
  const code: string | undefined = refused.error?.code
  const pointers = (refused.error?.errors ?? []).map(({ pointer }) => pointer)

  print({ created: created.response?.status, title, kind, handles, total, linked, code, pointers })
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error a blog has a title
  await createBlog({ body: { handle: 'x', kind: 'personal' } })
  // @ts-expect-error an id is a number
  await blogsShow({ path: { id: 'one' } })
}
