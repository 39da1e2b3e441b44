// Calls every action of the example, by a client made elsewhere: from the sources, from a bundle, from a package. The
// same calls run on every runtime and in a browser, and give the same account of what came back.
import type { Client, Problem } from 'edict/client'
import type { Assets, Legacy } from '../../../examples/blog/design/assets.ts'
import type { Blogs } from '../../../examples/blog/design/blogs.ts'
import type { Comments } from '../../../examples/blog/design/comments.ts'
import type { Feeds } from '../../../examples/blog/design/feeds.ts'
import type { Avatars, People } from '../../../examples/blog/design/people.ts'
import type { Posts } from '../../../examples/blog/design/posts.ts'
import type { StatsV1, StatsV2 } from '../../../examples/blog/design/stats.ts'
import type { Subscriptions } from '../../../examples/blog/design/subscriptions.ts'

interface Endpoints {
  readonly Assets: typeof Assets
  readonly Avatars: typeof Avatars
  readonly Blogs: typeof Blogs
  readonly Comments: typeof Comments
  readonly Feeds: typeof Feeds
  readonly People: typeof People
  readonly Posts: typeof Posts
  readonly StatsV1: typeof StatsV1
  readonly StatsV2: typeof StatsV2
  readonly Subscriptions: typeof Subscriptions
}

/** A client of the example that sends the token of Ada; of what documents hide, it may have no calls. */
export type Api = Client<Endpoints, Problem, 'Authorization'> &
  Partial<Client<{ readonly Legacy: typeof Legacy }, Problem, 'Authorization'>>

/** One call, and the parts of its answer that are the same in every run. */
export type Seen = readonly [call: string, ...what: readonly unknown[]]

// Bodies that are neither JSON nor text are bytes, unless a stream was asked for.
const bytes = (body: unknown): Uint8Array => body as Uint8Array
const text = (body: unknown): string => (typeof body === 'string' ? body : new TextDecoder().decode(bytes(body)))

/** Calls everything; `isPage` says whether that happens in a browser, which hides where redirections lead. */
export async function tour(api: Api, isPage: boolean): Promise<Seen[]> {
  const seen: Seen[] = []
  await blogs(api, seen)
  await posts(api, seen, isPage)
  await comments(api, seen)
  await people(api, seen, isPage)
  await others(api, seen)
  return seen
}

async function blogs({ Blogs }: Api, seen: Seen[]): Promise<void> {
  const listed = await Blogs.index.ok({ order: '-rating', filters: 'kind=personal', fields: ['title', 'owner.name'] })
  seen.push(['Blogs.index', listed.slice(0, 2)])
  const titles: string[] = []
  for await (const { title } of Blogs.index.all({ pagination: 'by=id,items=5' })) titles.push(title)
  seen.push(['Blogs.index.all', titles.length, titles.at(-1)])
  const refused = await Blogs.index({ order: 'colour' })
  seen.push(['Blogs.index', refused.status, refused.name === 'failure' && refused.problem?.errors?.[0]?.pointer])
  const shown = await Blogs.show.ok({ id: 1 })
  // Dates and bigints are what they are declared to be, on every runtime.
  seen.push(['Blogs.show', shown.created_at.getTime(), `${shown.page_views}`, shown.theme?.accent, shown.owner?.name])
  const missing = await Blogs.find({ handle: 'nobody' })
  seen.push(['Blogs.find', (await Blogs.find.ok({ handle: 'letters' })).id, missing.name, missing.status])
  const made = await Blogs.create(undefined, {
    payload: {
      title: 'Tour',
      handle: 'tour',
      kind: 'personal',
      tags: ['maps'],
      welcome: true,
      links: { a: 'https://a.test' },
    },
  })
  const id = Number(/\d+$/.exec(made.headers.get('location') ?? '')?.[0])
  seen.push(['Blogs.create', made.name, id])
  const changed = await Blogs.update({ id }, { payload: { title: 'Grand Tour', digest_at: null } })
  const stale = await Blogs.update({ id }, { payload: { open: false }, headers: { 'If-Match': '"ff"' } })
  seen.push(['Blogs.update', changed.name, stale.name, (await Blogs.show.ok({ id })).title])
  const lines = await Blogs.export({ id })
  seen.push(['Blogs.export', lines.name === 'ok' && text(lines.body).trim().split('\n').length])
  const given = await Blogs.transfer({ id, dry_run: true }, { payload: { email: 'grace@example.com' } })
  seen.push(['Blogs.transfer', given.name])
  const removed = await Blogs.remove({ id }, { headers: { 'X-Confirm': 'delete' } })
  seen.push(['Blogs.remove', removed.name, (await Blogs.show({ id })).name])
}

async function posts({ Posts }: Api, seen: Seen[], isPage: boolean): Promise<void> {
  const walk = Posts.index.all({ blog_id: 4, pagination: 'items=10', fields: ['slug', 'published_at'] })
  const slugs: string[] = []
  for await (const { slug, published_at } of walk) slugs.push(`${slug} ${published_at?.toISOString().slice(0, 10)}`)
  seen.push(['Posts.index', slugs.length, slugs[0], walk.cursor])
  const after = new Date('2024-02-01T00:00:00Z')
  const nested = await Posts.index.ok({ blog_id: 1, published: { after }, slugs: ['note-g', 'on-punched-cards'] })
  seen.push(['Posts.index', nested.map(({ slug }) => slug)])
  const month = await Posts.archive.ok({ blog_id: 1, year: '2024', month: '01' })
  seen.push(['Posts.archive', month.map(({ slug }) => slug)])
  const made = await Posts.create(
    { blog_id: 1 },
    { payload: { title: 'By a client', slug: 'by-a-client', blocks: [{ type: 'text', text: 'One.' }] } },
  )
  seen.push(['Posts.create', made.name, made.headers.get('location')])
  const here = { blog_id: 1, slug: 'by-a-client' }
  const rewritten = await Posts.rewrite.ok(here, { payload: 'Two.\n\nThree: ünï.' })
  seen.push(['Posts.rewrite', rewritten.blocks])
  const shown = await Posts.show(here)
  seen.push(['Posts.show', shown.name === 'ok' && shown.body.title, (await Posts.show({ blog_id: 1, slug: 'x' })).name])
  const image = new Blob([new Uint8Array(4096).map((_, i) => i)], { type: 'image/png' })
  const covered = await Posts.illustrate(here, { payload: { image, alt: 'A cover' } })
  const cover = bytes(await Posts.cover.ok(here))
  seen.push(['Posts.illustrate', covered.name, ['Posts.cover', cover.length, cover[4095]]])
  // A redirection that is declared is an answer, except where the browser keeps it to itself.
  const moved = await Posts.move(here, { payload: { blog: '/blogs/3' } }).catch((error: Error) => error.name)
  const name = typeof moved === 'string' ? moved : moved.name
  seen.push(['Posts.move', name === (isPage ? 'ResponseError' : 'seeOther')])
}

async function comments({ Comments }: Api, seen: Seen[]): Promise<void> {
  const post = { blog_id: 1, post_slug: 'note-g' }
  const [first] = await Comments.index.ok(post)
  seen.push(['Comments.index', first?.author_name, first?.replies?.[0]?.written_at.toISOString()])
  const one = await Comments.show.ok({ ...post, id: first?.id ?? '' })
  seen.push(['Comments.show', one.text])
  const made = await Comments.create(post, { payload: { author_name: 'Tourist', text: 'Nice.', reply_to: one.id } })
  seen.push(['Comments.create', made.name, (await Comments.index.ok(post))[0]?.replies?.length])
  const kept = await Comments.import(post, { payload: first === undefined ? [] : [first] })
  seen.push(['Comments.import', kept.name, (await Comments.index.ok(post))[0]?.replies?.length])
}

async function people({ People, Avatars }: Api, seen: Seen[], isPage: boolean): Promise<void> {
  const ada = await People.profile.ok({ id: 1 })
  seen.push(['People.profile', ada.name, ada.joined_on])
  const changed = await People.updateMe.ok(undefined, { payload: { bio: null } })
  seen.push(['People.updateMe', changed.bio, ['People.me', (await People.me.ok()).bio]])
  const picture = new Uint8Array(60_000).fill(7)
  const blob = new Blob([picture], { type: 'image/png' })
  // Browsers send streams over HTTP/2 only.
  const payload = isPage ? blob : blob.stream()
  const replaced = await Avatars.replace({ person_id: 1 }, { payload, headers: { 'Content-Type': blob.type } })
  const read = bytes(await Avatars.show.ok({ person_id: 1 }))
  seen.push(['Avatars.replace', replaced.name, ['Avatars.show', read.length, read.every((byte) => byte === 7)]])
  seen.push(['Avatars.show', (await Avatars.show({ person_id: 2 })).name])
}

async function others({ Assets, Feeds, Legacy, StatsV1, StatsV2, Subscriptions }: Api, seen: Seen[]): Promise<void> {
  seen.push(['Assets.show', text(await Assets.show.ok({ splat: ['themes/plain.css'] })).trim()])
  seen.push(['Feeds.show', text(await Feeds.show.ok({ id: 1 })).split('<entry>').length])
  seen.push(['StatsV1.show', text(await StatsV1.show.ok()).split('\n')[0]])
  const figures = await StatsV2.show.ok()
  seen.push(['StatsV2.show', figures.blogs, typeof figures.page_views, figures.tags['maps']])
  const payload = { email: 'tour@example.com' }
  const blog = { blog_id: 1 }
  const [first, again] = [
    await Subscriptions.subscribe(blog, { payload }),
    await Subscriptions.subscribe(blog, { payload }),
  ]
  seen.push(['Subscriptions.subscribe', first.name, again.name])
  const ended = await Subscriptions.cancel(blog, { payload: { ...payload, reason: 'The tour is over.' } })
  seen.push(['Subscriptions.cancel', ended.name, (await Subscriptions.cancel(blog, { payload })).name])
  if (Legacy !== undefined) seen.push(['Legacy.gone', (await Legacy.gone({ splat: ['wp-login.php'] })).name])
}
