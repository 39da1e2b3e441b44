// The same client, by orval and its fetch client.
import { blogsShow, createBlog, listBlogs } from './generated/orval/blog.js'

export async function talk(_: string, print: (value: unknown) => void): Promise<void> {
  const created = await createBlog(
    { title: 'Made by a client', handle: 'by-a-client', kind: 'personal', open: true, welcome: false },
    undefined,
    { headers: { Authorization: 'Bearer ada-secret' } },
  )
  const id = Number(/\d+$/.exec(created.headers.get('location') ?? '')?.[0])

  const shown = await blogsShow(id)
  const { title, kind }: { title?: string; kind?: 'personal' | 'company' } = shown.status === 200 ? shown.data : {}

  const listed = await listBlogs({ pagination: 'page=1,items=2,total_count=true', order: '-created_at' })
  const handles = listed.status === 200 ? listed.data.map(({ handle }) => handle) : []
  const total = Number(listed.headers.get('total-count'))
  const linked = listed.headers.get('link')?.includes('rel="next"') ?? false

  const refused = await listBlogs({ order: 'colour' })
  const problem = refused.status === 200 ? undefined : refused.data
  const pointers = (problem?.errors ?? []).map(({ pointer }) => pointer)

  print({ created: created.status, title, kind, handles, total, linked, code: problem?.code, pointers })
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error a blog has a title
  await createBlog({ handle: 'x', kind: 'personal' })
  // @ts-expect-error an id is a number
  await blogsShow('one')
}
