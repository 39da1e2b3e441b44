// The published behaviour of Conduit, as checks: a request, and what its response has to be. A client runs them in order,
// and keeps tokens, slugs and ids of responses for later requests. No check expects an empty database.
import { expect } from 'vitest'

/** One check. In texts of requests, `{name}` stands for a kept value. */
export interface Check {
  readonly name: string
  /** The method and the path below the base path. */
  readonly line: string
  /** Whose token the request has; `Authorization` as it is if the text has a space. */
  readonly as?: string | undefined
  readonly body?: unknown
  readonly status: number
  /** Members that the body has among others. */
  readonly shows?: object | undefined
  /** Compares the body with kept values. */
  readonly matches?: ((body: any, kept: Kept) => void) | undefined
  /** Values of the body to keep, by the name of each. */
  readonly keep?: Readonly<Record<string, (body: any) => unknown>> | undefined
}

/** The values of responses that a client keeps. */
type Kept = Readonly<Record<string, any>>

const text = expect.any(String)
const flag = expect.any(Boolean)
const integer = expect.toSatisfy(Number.isInteger, 'is an integer')
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const nullable = expect.toSatisfy((value) => value === null || typeof value === 'string', 'is a text or null')
const texts = expect.toSatisfy(
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'is texts',
)
const token = expect.stringMatching(/./)

const account = { email: text, token, username: text, bio: nullable, image: nullable }
const profile = { username: text, bio: nullable, image: nullable, following: flag }
const preview = {
  slug: text,
  title: text,
  description: text,
  tagList: texts,
  createdAt: time,
  updatedAt: time,
  favorited: flag,
  favoritesCount: integer,
  author: profile,
}
const article = { ...preview, body: text }
const comment = { id: integer, createdAt: time, updatedAt: time, body: text, author: profile }

/** Exactly these members. */
const exactly = (shape: object) => (value: any) => expect(value).toEqual(shape)
const user = (shown: object = {}) => ({ user: { ...account, ...shown } })
const seen = (shown: object = {}) => ({ profile: { ...profile, ...shown } })
const one = (shown: object = {}) => ({ article: { ...article, ...shown } })
const said = (shown: object = {}) => ({ comment: { ...comment, ...shown } })
const failure = (name: string, problem: unknown = text) => ({ errors: { [name]: [problem] } })

const blank = "can't be blank"
const taken = 'has already been taken'
const noToken = { status: 401, shows: failure('token', 'is missing') }
const noArticle = { status: 404, shows: failure('article', 'not found') }

/** Every element has the form of an article in a list, without its body. */
const previews = (body: any) => {
  expect(body).toEqual({ articles: expect.any(Array), articlesCount: integer })
  for (const found of body.articles) expect(found).toEqual(preview)
}
const slugs = (body: any): string[] => body.articles.map((found: { slug: string }) => found.slug)

type Rest = Omit<Check, 'name' | 'line'>
const check = (name: string, line: string, rest: Rest): Check => ({ name, line, ...rest })

const ann = { username: 'ann', email: 'ann@example.com', password: 'secret of ann' }
const bob = { username: 'bob', email: 'bob@example.com', password: 'secret of bob' }

const registration: readonly Check[] = [
  check('register ann', 'POST /users', {
    body: { user: ann },
    status: 201,
    shows: user({ username: 'ann', email: 'ann@example.com', bio: null, image: null }),
    keep: { ann: (body) => body.user.token },
  }),
  check('register bob', 'POST /users', {
    body: { user: bob },
    status: 201,
    shows: user({ username: 'bob', email: 'bob@example.com' }),
    keep: { bob: (body) => body.user.token },
  }),
  check('register cid, and see an account and nothing else', 'POST /users', {
    body: { user: { username: 'cid', email: 'cid@example.com', password: 'secret of cid' } },
    status: 201,
    matches: exactly(user({ username: 'cid' })),
    keep: { cid: (body) => body.user.token },
  }),
  ...(['username', 'email', 'password'] as const).flatMap((name) => [
    check(`register with a blank ${name}`, 'POST /users', {
      body: { user: { username: 'eve', email: 'eve@example.com', password: 'x', [name]: '' } },
      status: 422,
      shows: failure(name, blank),
    }),
    check(`register without ${name}`, 'POST /users', {
      body: { user: { username: 'eve', email: 'eve@example.com', password: 'x', [name]: undefined } },
      status: 422,
      shows: failure(name, blank),
    }),
    check(`register with null for ${name}`, 'POST /users', {
      body: { user: { username: 'eve', email: 'eve@example.com', password: 'x', [name]: null } },
      status: 422,
      shows: failure(name),
    }),
    check(`register with a number for ${name}`, 'POST /users', {
      body: { user: { username: 'eve', email: 'eve@example.com', password: 'x', [name]: 7 } },
      status: 422,
      shows: failure(name),
    }),
  ]),
  check('register without user', 'POST /users', { body: {}, status: 422, shows: failure('user') }),
  check('register with a taken username', 'POST /users', {
    body: { user: { ...bob, email: 'other@example.com' } },
    status: 422,
    shows: failure('username', taken),
  }),
  check('register with a taken email', 'POST /users', {
    body: { user: { ...bob, username: 'other' } },
    status: 422,
    shows: failure('email', taken),
  }),
]

const login: readonly Check[] = [
  check('log in', 'POST /users/login', {
    body: { user: { email: ann.email, password: ann.password } },
    status: 200,
    matches: exactly(user()),
    keep: { ann: (body) => body.user.token },
  }),
  check('log in as oneself', 'POST /users/login', {
    body: { user: { email: bob.email, password: bob.password } },
    status: 200,
    shows: user({ username: 'bob', email: 'bob@example.com' }),
  }),
  check('log in with a wrong password', 'POST /users/login', {
    body: { user: { email: ann.email, password: 'secret of bob' } },
    status: 401,
    shows: failure('credentials', 'invalid'),
  }),
  check('log in with an unknown email', 'POST /users/login', {
    body: { user: { email: 'nobody@example.com', password: 'x' } },
    status: 401,
    shows: failure('credentials', 'invalid'),
  }),
  ...(['email', 'password'] as const).flatMap((name) => [
    check(`log in with a blank ${name}`, 'POST /users/login', {
      body: { user: { email: ann.email, password: 'x', [name]: '' } },
      status: 422,
      shows: failure(name, blank),
    }),
    check(`log in without ${name}`, 'POST /users/login', {
      body: { user: { email: ann.email, password: 'x', [name]: undefined } },
      status: 422,
      shows: failure(name, blank),
    }),
  ]),
  check('log in without user', 'POST /users/login', { body: {}, status: 422, shows: failure('user') }),
]

const put = (name: string, sent: object, status: number, shows: object | undefined): Check =>
  check(name, 'PUT /user', { as: 'ann', body: { user: sent }, status, shows })

const accounts: readonly Check[] = [
  check('show the account', 'GET /user', { as: 'ann', status: 200, matches: exactly(user()) }),
  check('show the account of the caller', 'GET /user', { as: 'bob', status: 200, shows: user({ username: 'bob' }) }),
  check('show the account without a token', 'GET /user', noToken),
  check('show the account with another scheme', 'GET /user', { as: 'Basic YTpi', ...noToken }),
  check('show the account with a forged token', 'GET /user', { as: 'Token e30.e30.x', ...noToken }),
  check('change the account without a token', 'PUT /user', { body: { user: { bio: 'x' } }, ...noToken }),
  put('change the bio', { bio: 'Writes.' }, 200, user({ bio: 'Writes.' })),
  check('keep the bio', 'GET /user', { as: 'ann', status: 200, shows: user({ bio: 'Writes.' }) }),
  put('change nothing', {}, 200, user()),
  put('clear the bio by a blank', { bio: '' }, 200, user({ bio: null })),
  check('keep the bio cleared', 'GET /user', { as: 'ann', status: 200, shows: user({ bio: null }) }),
  put('change the bio again', { bio: 'Reads.' }, 200, user({ bio: 'Reads.' })),
  put('clear the bio by null', { bio: null }, 200, user({ bio: null })),
  put('change the image', { image: 'https://example.com/a.png' }, 200, user({ image: 'https://example.com/a.png' })),
  put('clear the image by a blank', { image: '' }, 200, user({ image: null })),
  put('clear the image by null', { image: null }, 200, user({ image: null })),
  ...(['username', 'email', 'password'] as const).flatMap((name) => [
    put(`blank the ${name}`, { [name]: '' }, 422, failure(name, blank)),
    put(`set ${name} to null`, { [name]: null }, 422, failure(name)),
  ]),
  put('take the username of another', { username: 'bob' }, 422, failure('username', taken)),
  put('take the email of another', { email: 'bob@example.com' }, 422, failure('email', taken)),
  check('change the account without user', 'PUT /user', { as: 'ann', body: {}, status: 422, shows: failure('user') }),
  put('change username and email', { username: 'anna', email: 'anna@example.com' }, 200, {
    user: { ...account, username: 'anna', email: 'anna@example.com' },
  }),
  check('keep username and email', 'GET /user', { as: 'ann', status: 200, shows: user({ username: 'anna' }) }),
  put('change the password', { password: 'another secret' }, 200, user()),
  check('log in with the new password', 'POST /users/login', {
    body: { user: { email: 'anna@example.com', password: 'another secret' } },
    status: 200,
    shows: user(),
  }),
  check('log in with the old password', 'POST /users/login', {
    body: { user: { email: 'anna@example.com', password: ann.password } },
    status: 401,
    shows: failure('credentials', 'invalid'),
  }),
]

const noProfile = { status: 404, shows: failure('profile', 'not found') }

const profiles: readonly Check[] = [
  check('show a profile', 'GET /profiles/bob', { status: 200, shows: seen({ username: 'bob', following: false }) }),
  check('show of a profile nothing else', 'GET /profiles/bob', { status: 200, matches: exactly(seen()) }),
  check('show an unknown profile', 'GET /profiles/nobody', noProfile),
  check('show a profile with a forged token', 'GET /profiles/bob', { as: 'Token x', ...noToken }),
  check('follow', 'POST /profiles/bob/follow', {
    as: 'ann',
    status: 200,
    shows: seen({ username: 'bob', following: true }),
  }),
  check('see that one follows', 'GET /profiles/bob', { as: 'ann', status: 200, shows: seen({ following: true }) }),
  check('see that another does not', 'GET /profiles/bob', {
    as: 'cid',
    status: 200,
    shows: seen({ following: false }),
  }),
  check('follow twice', 'POST /profiles/bob/follow', { as: 'ann', status: 200, shows: seen({ following: true }) }),
  check('unfollow', 'DELETE /profiles/bob/follow', {
    as: 'ann',
    status: 200,
    shows: seen({ username: 'bob', following: false }),
  }),
  check('unfollow twice', 'DELETE /profiles/bob/follow', { as: 'ann', status: 200, shows: seen({ following: false }) }),
  check('see that one follows no more', 'GET /profiles/bob', {
    as: 'ann',
    status: 200,
    shows: seen({ following: false }),
  }),
  check('follow without a token', 'POST /profiles/bob/follow', noToken),
  check('unfollow without a token', 'DELETE /profiles/bob/follow', noToken),
  check('follow an unknown user', 'POST /profiles/nobody/follow', { as: 'ann', ...noProfile }),
  check('unfollow an unknown user', 'DELETE /profiles/nobody/follow', { as: 'ann', ...noProfile }),
]

const draft = { title: 'How to Train', description: 'Ever wonder?', body: 'You have to believe' }
const write = (name: string, sent: object, status: number, rest: Partial<Rest>): Check =>
  check(name, 'POST /articles', { as: 'bob', body: { article: sent }, status, ...rest })

const writing: readonly Check[] = [
  write('write an article', { ...draft, tagList: ['zebras', 'apes'] }, 201, {
    shows: one({ ...draft, tagList: ['zebras', 'apes'], favorited: false, favoritesCount: 0 }),
    keep: { slug: (body) => body.article.slug, written: (body) => body.article },
  }),
  write('write an article as oneself', { ...draft, title: 'Mine' }, 201, {
    shows: one({ author: { ...profile, username: 'bob', following: false } }),
    keep: { mine: (body) => body.article.slug },
  }),
  write('write an article, and see nothing else', { ...draft, title: 'Exact' }, 201, { matches: exactly(one()) }),
  write('write an article without tags', { ...draft, title: 'Plain' }, 201, {
    shows: one({ title: 'Plain', tagList: [] }),
    keep: { plain: (body) => body.article.slug },
  }),
  write('write a second article of the same title', draft, 201, {
    shows: one(draft),
    matches: (body, { slug }) => expect(body.article.slug).not.toBe(slug),
  }),
  ...(['title', 'description', 'body'] as const).flatMap((name) => [
    write(`write an article with a blank ${name}`, { ...draft, [name]: '' }, 422, { shows: failure(name, blank) }),
    write(`write an article without ${name}`, { ...draft, [name]: undefined }, 422, { shows: failure(name, blank) }),
  ]),
  write('write an article with null for its tags', { ...draft, tagList: null }, 422, { shows: failure('tagList') }),
  write('write an article with a text for its tags', { ...draft, tagList: 'x' }, 422, { shows: failure('tagList') }),
  check('write an article without article', 'POST /articles', {
    as: 'bob',
    body: {},
    status: 422,
    shows: failure('article'),
  }),
  check('write an article without a token', 'POST /articles', { body: { article: draft }, ...noToken }),
]

const reading: readonly Check[] = [
  check('read an article', 'GET /articles/{slug}', {
    status: 200,
    matches: (body, { written }) => expect(body).toEqual({ article: written }),
  }),
  check('read an article with a token', 'GET /articles/{slug}', { as: 'ann', status: 200, matches: exactly(one()) }),
  check('read an unknown article', 'GET /articles/nothing', noArticle),
  check('list articles', 'GET /articles', {
    status: 200,
    matches: (body) => {
      previews(body)
      expect(body.articles.length).toBeGreaterThan(0)
      expect(body.articles.length).toBeLessThanOrEqual(20)
      expect(body.articlesCount).toBeGreaterThanOrEqual(body.articles.length)
    },
    keep: { newest: (body) => slugs(body) },
  }),
  check('list the newest articles first', 'GET /articles', {
    status: 200,
    matches: (body, { slug, mine, plain }) => {
      const places = [plain, mine, slug].map((one) => slugs(body).indexOf(one))
      expect(places).not.toContain(-1)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    },
  }),
  check('list articles with a token', 'GET /articles', { as: 'ann', status: 200, matches: previews }),
  check('list one article', 'GET /articles?limit=1', {
    status: 200,
    matches: (body, { newest }) => expect(slugs(body)).toEqual(newest.slice(0, 1)),
  }),
  check('list the next article', 'GET /articles?limit=1&offset=1', {
    status: 200,
    matches: (body, { newest }) => expect(slugs(body)).toEqual(newest.slice(1, 2)),
  }),
  check('list three articles after two', 'GET /articles?limit=3&offset=2', {
    status: 200,
    matches: (body, { newest }) => expect(slugs(body)).toEqual(newest.slice(2, 5)),
  }),
  check('count the articles of all pages', 'GET /articles?limit=1', {
    status: 200,
    matches: (body) => expect(body.articlesCount).toBeGreaterThan(1),
  }),
  check('list articles beyond the last', 'GET /articles?offset=100000', { status: 200, shows: { articles: [] } }),
  ...['limit=-1', 'limit=0', 'limit=x', 'limit=1.5', 'offset=-1', 'offset=x'].map((query) =>
    check(`list articles with ${query}`, `GET /articles?${query}`, {
      status: 422,
      shows: failure(query.split('=')[0] as string),
    }),
  ),
  check('list articles of a tag', 'GET /articles?tag=zebras', {
    status: 200,
    matches: (body, { slug }) => {
      previews(body)
      expect(slugs(body)).toContain(slug)
      for (const { tagList } of body.articles) expect(tagList).toContain('zebras')
    },
  }),
  check('list articles of an unknown tag', 'GET /articles?tag=nothing', {
    status: 200,
    shows: { articles: [], articlesCount: 0 },
  }),
  check('list articles of an author', 'GET /articles?author=bob', {
    status: 200,
    matches: (body, { slug }) => {
      previews(body)
      expect(slugs(body)).toContain(slug)
      for (const { author } of body.articles) expect(author.username).toBe('bob')
    },
  }),
  check('list articles of an unknown author', 'GET /articles?author=nobody', {
    status: 200,
    shows: { articles: [], articlesCount: 0 },
  }),
  check('list articles of an author and a tag', 'GET /articles?author=bob&tag=apes', {
    status: 200,
    matches: (body, { slug }) => expect(slugs(body)).toEqual([slug]),
  }),
  check('list favorites of somebody without any', 'GET /articles?favorited=cid', {
    status: 200,
    shows: { articles: [], articlesCount: 0 },
  }),
  check('list tags', 'GET /tags', { status: 200, matches: exactly({ tags: texts }) }),
  check('list the tags of articles, each once', 'GET /tags', {
    status: 200,
    matches: ({ tags }) => {
      expect(tags).toEqual(expect.arrayContaining(['apes', 'zebras']))
      expect(new Set(tags).size).toBe(tags.length)
    },
  }),
]

const edit = (name: string, sent: object, status: number, rest: Partial<Rest>): Check =>
  check(name, 'PUT /articles/{slug}', { as: 'bob', body: { article: sent }, status, ...rest })

const editing: readonly Check[] = [
  edit('change the body of an article', { body: 'Just believe' }, 200, {
    shows: one({ ...draft, body: 'Just believe', tagList: ['zebras', 'apes'] }),
    matches: ({ article }, { written }) => {
      expect(article.slug).toBe(written.slug)
      expect(article.createdAt).toBe(written.createdAt)
      expect(article.updatedAt >= written.updatedAt).toBe(true)
    },
  }),
  check('keep the changed body', 'GET /articles/{slug}', { status: 200, shows: one({ body: 'Just believe' }) }),
  edit('change the description of an article', { description: 'Never?' }, 200, {
    shows: one({ description: 'Never?' }),
  }),
  edit('change the tags of an article', { tagList: ['cats', 'apes'] }, 200, {
    shows: one({ tagList: ['cats', 'apes'] }),
  }),
  edit('take the tags of an article away', { tagList: [] }, 200, { shows: one({ tagList: [] }) }),
  check('keep the tags away', 'GET /articles/{slug}', { status: 200, shows: one({ tagList: [] }) }),
  edit('set the tags of an article to null', { tagList: null }, 422, { shows: failure('tagList') }),
  edit('blank the title of an article', { title: '' }, 422, { shows: failure('title', blank) }),
  edit('blank the body of an article', { body: '' }, 422, { shows: failure('body', blank) }),
  check('change an article without a token', 'PUT /articles/{slug}', { body: { article: { body: 'x' } }, ...noToken }),
  check('change the article of another', 'PUT /articles/{slug}', {
    as: 'ann',
    body: { article: { body: 'x' } },
    status: 403,
    shows: failure('article', 'forbidden'),
  }),
  check('keep the article of another', 'GET /articles/{slug}', { status: 200, shows: one({ body: 'Just believe' }) }),
  check('change an unknown article', 'PUT /articles/nothing', {
    as: 'bob',
    body: { article: { body: 'x' } },
    ...noArticle,
  }),
  edit('change the title of an article', { title: 'Did You Train?' }, 200, {
    shows: one({ title: 'Did You Train?' }),
    keep: { old: () => undefined, slug: (body) => body.article.slug },
  }),
  check('read an article of a new title', 'GET /articles/{slug}', {
    status: 200,
    shows: one({ title: 'Did You Train?' }),
  }),
]

const favorites: readonly Check[] = [
  check('favorite an article', 'POST /articles/{slug}/favorite', {
    as: 'ann',
    status: 200,
    shows: one({ title: 'Did You Train?', favorited: true, favoritesCount: 1 }),
  }),
  check('favorite an article twice', 'POST /articles/{slug}/favorite', {
    as: 'ann',
    status: 200,
    shows: one({ favorited: true, favoritesCount: 1 }),
  }),
  check('see a favorite', 'GET /articles/{slug}', { as: 'ann', status: 200, shows: one({ favorited: true }) }),
  check('see the favorite of another', 'GET /articles/{slug}', {
    status: 200,
    shows: one({ favorited: false, favoritesCount: 1 }),
  }),
  check('favorite the favorite of another', 'POST /articles/{slug}/favorite', {
    as: 'cid',
    status: 200,
    shows: one({ favorited: true, favoritesCount: 2 }),
  }),
  check('list favorites', 'GET /articles?favorited=cid', {
    status: 200,
    matches: (body, { slug }) => {
      previews(body)
      expect(slugs(body)).toEqual([slug])
      expect(body.articlesCount).toBe(1)
    },
  }),
  check('unfavorite an article', 'DELETE /articles/{slug}/favorite', {
    as: 'ann',
    status: 200,
    shows: one({ favorited: false, favoritesCount: 1 }),
  }),
  check('unfavorite an article twice', 'DELETE /articles/{slug}/favorite', {
    as: 'ann',
    status: 200,
    shows: one({ favorited: false, favoritesCount: 1 }),
  }),
  check('favorite without a token', 'POST /articles/{slug}/favorite', noToken),
  check('unfavorite without a token', 'DELETE /articles/{slug}/favorite', noToken),
  check('favorite an unknown article', 'POST /articles/nothing/favorite', { as: 'ann', ...noArticle }),
  check('unfavorite an unknown article', 'DELETE /articles/nothing/favorite', { as: 'ann', ...noArticle }),
]

const feed: readonly Check[] = [
  check('read the feed', 'GET /articles/feed', { as: 'ann', status: 200, matches: previews }),
  check('read the feed of somebody who follows nobody', 'GET /articles/feed', {
    as: 'cid',
    status: 200,
    shows: { articles: [], articlesCount: 0 },
  }),
  check('follow an author', 'POST /profiles/bob/follow', { as: 'cid', status: 200, shows: seen({ username: 'bob' }) }),
  check('read the feed of followed authors', 'GET /articles/feed', {
    as: 'cid',
    status: 200,
    matches: (body, { slug }) => {
      previews(body)
      expect(slugs(body)).toContain(slug)
      for (const { author } of body.articles) expect(author).toMatchObject({ username: 'bob', following: true })
    },
    keep: { feed: (body) => slugs(body) },
  }),
  check('read one article of the feed', 'GET /articles/feed?limit=1&offset=1', {
    as: 'cid',
    status: 200,
    matches: (body, { feed }) => expect(slugs(body)).toEqual(feed.slice(1, 2)),
  }),
  check('read the feed with limit=0', 'GET /articles/feed?limit=0', {
    as: 'cid',
    status: 422,
    shows: failure('limit'),
  }),
  check('read the feed without a token', 'GET /articles/feed', noToken),
]

const say = (name: string, sent: object, status: number, rest: Partial<Rest>): Check =>
  check(name, 'POST /articles/{slug}/comments', { as: 'ann', body: { comment: sent }, status, ...rest })
const noComment = { status: 404, shows: failure('comment', 'not found') }

const comments: readonly Check[] = [
  say('comment', { body: 'Thank you' }, 200, {
    shows: said({ body: 'Thank you' }),
    keep: { comment: (body) => body.comment.id },
  }),
  say('comment as oneself', { body: 'Mine' }, 200, { shows: said({ author: { ...profile, username: 'anna' } }) }),
  say('comment, and see nothing else', { body: 'Exact' }, 200, { matches: exactly(said()) }),
  say('comment with a blank body', { body: '' }, 422, { shows: failure('body', blank) }),
  say('comment without body', {}, 422, { shows: failure('body', blank) }),
  check('comment without comment', 'POST /articles/{slug}/comments', {
    as: 'ann',
    body: {},
    status: 422,
    shows: failure('comment'),
  }),
  check('comment without a token', 'POST /articles/{slug}/comments', { body: { comment: { body: 'x' } }, ...noToken }),
  check('comment on an unknown article', 'POST /articles/nothing/comments', {
    as: 'ann',
    body: { comment: { body: 'x' } },
    ...noArticle,
  }),
  check('list comments', 'GET /articles/{slug}/comments', {
    status: 200,
    matches: (body, kept) => {
      expect(body).toEqual({ comments: expect.any(Array) })
      for (const found of body.comments) expect(found).toEqual(comment)
      expect(body.comments.map((found: { id: number }) => found.id)).toContain(kept['comment'])
    },
  }),
  check('list the comments of this article only', 'GET /articles/{slug}/comments', {
    as: 'ann',
    status: 200,
    matches: ({ comments }) =>
      expect(comments.map(({ body }: { body: string }) => body)).toEqual(['Thank you', 'Mine', 'Exact']),
  }),
  check('list the comments of an article without any', 'GET /articles/{plain}/comments', {
    status: 200,
    matches: exactly({ comments: [] }),
  }),
  check('list the comments of an unknown article', 'GET /articles/nothing/comments', noArticle),
  check('delete a comment without a token', 'DELETE /articles/{slug}/comments/{comment}', noToken),
  check('delete the comment of another', 'DELETE /articles/{slug}/comments/{comment}', {
    as: 'bob',
    status: 403,
    shows: failure('comment', 'forbidden'),
  }),
  check('delete a comment of another article', 'DELETE /articles/{plain}/comments/{comment}', {
    as: 'ann',
    ...noComment,
  }),
  check('delete an unknown comment', 'DELETE /articles/{slug}/comments/99999', { as: 'ann', ...noComment }),
  check('delete a comment whose id is no number', 'DELETE /articles/{slug}/comments/x', {
    as: 'ann',
    status: 422,
    shows: failure('id'),
  }),
  check('delete a comment of an unknown article', 'DELETE /articles/nothing/comments/1', { as: 'ann', ...noArticle }),
  check('delete a comment', 'DELETE /articles/{slug}/comments/{comment}', { as: 'ann', status: 204 }),
  check('list no deleted comment', 'GET /articles/{slug}/comments', {
    status: 200,
    matches: ({ comments }, kept) =>
      expect(comments.map(({ id }: { id: number }) => id)).not.toContain(kept['comment']),
  }),
]

const deletion: readonly Check[] = [
  check('delete an article without a token', 'DELETE /articles/{slug}', noToken),
  check('delete the article of another', 'DELETE /articles/{slug}', {
    as: 'ann',
    status: 403,
    shows: failure('article', 'forbidden'),
  }),
  check('delete an unknown article', 'DELETE /articles/nothing', { as: 'bob', ...noArticle }),
  check('delete an article', 'DELETE /articles/{slug}', { as: 'bob', status: 204 }),
  check('read a deleted article', 'GET /articles/{slug}', noArticle),
  check('list the comments of a deleted article', 'GET /articles/{slug}/comments', noArticle),
  check('favorite a deleted article', 'POST /articles/{slug}/favorite', { as: 'ann', ...noArticle }),
  check('delete an article twice', 'DELETE /articles/{slug}', { as: 'bob', ...noArticle }),
  check('list no deleted article', 'GET /articles', {
    status: 200,
    matches: (body, { slug }) => expect(slugs(body)).not.toContain(slug),
  }),
  check('ask for a path that does not exist', 'GET /nothing', { status: 404, shows: failure('body') }),
]

/** All checks, in the order of a client. */
export const checks: readonly Check[] = [
  ...registration,
  ...login,
  ...accounts,
  ...profiles,
  ...writing,
  ...reading,
  ...editing,
  ...favorites,
  ...feed,
  ...comments,
  ...deletion,
]
