// Conduit with a fault each, planted in front of the example: nothing of its code is touched.
import { type Application, verifier } from 'edict'
import { withReplacements } from 'edict/testing'
import { conduitApi } from '../../../examples/conduit/api.ts'
import { openDatabase } from '../../../examples/conduit/database.ts'
import { Token } from '../../../examples/conduit/design/users.ts'
import { cacheByUrl, changeBody, changeRequest, type Intermediary, readJson, withFront } from './http.ts'

/** Makes Conduit over an empty database. */
export const makeConduit = async (): Promise<Application> => conduitApi(await openDatabase()) as unknown as Application

/** Signs two clients up, as any client does. */
export async function signUp({ fetch }: Pick<Application, 'fetch'>) {
  const register = async (username: string) => {
    const user = { username, email: `${username}@example.com`, password: `${username}'s secret` }
    const response = await fetch(
      new Request('http://localhost/api/users', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ user }),
      }),
    )
    return { Authorization: `Token ${(await response.json()).user.token}` }
  }
  return { ada: await register('ada'), grace: await register('grace') }
}

const front = (make: () => Intermediary) => (app: Application) => withFront(app, make())

const isAt = (request: Request, method: string, path: RegExp): boolean =>
  request.method === method && path.test(new URL(request.url).pathname)

const changeQuery =
  (change: (query: URLSearchParams) => void): Intermediary =>
  async (request, send) => {
    const url = new URL(request.url)
    if (isAt(request, 'GET', LIST)) change(url.searchParams)
    return send(await changeRequest(request, { url }))
  }

const isOffset = (text: string | null): boolean => text === null || /^\d{1,9}$/.test(text)

const isLimit = (text: string | null): boolean => /^[1-9]\d?$|^100$/.test(text ?? '')

const LIST = /^\/api\/articles$/
const ARTICLE = /^\/api\/articles\/(?!feed$)[^/]+$/
const COMMENTS = /^\/api\/articles\/[^/]+\/comments$/

/** The faults: what each makes of an application. */
export const conduitFaults: Readonly<Record<string, (app: Application) => Application>> = {
  'a login accepts any password': front(() => {
    const passwords = new Map<string, string>()
    return async (request, send) => {
      const user = (await readJson(request))?.user
      const known = isAt(request, 'POST', /\/users\/login$/) && passwords.get(user?.email)
      const response = await send(
        known ? await changeRequest(request, { body: { user: { ...user, password: known } } }) : request,
      )
      if (isAt(request, 'POST', /\/users$/) && response.status < 300) passwords.set(user.email, user.password)
      return response
    }
  }),
  'an attribute is missing': front(() => async (request, send) => {
    const response = await send(request)
    if (!isAt(request, 'GET', ARTICLE)) return response
    return changeBody(response, ({ article: { description: _, ...article } }) => ({ article }))
  }),
  'pages begin one later': front(() =>
    changeQuery((query) => {
      if (isOffset(query.get('offset'))) query.set('offset', String(Number(query.get('offset')) + 1))
    }),
  ),
  'the total is that of the page': front(() => async (request, send) => {
    const response = await send(request)
    if (!isAt(request, 'GET', LIST)) return response
    return changeBody(response, (body) => ({ ...body, articlesCount: body.articles.length }))
  }),
  'the order is not stable': front(() => async (request, send) => {
    if (!isAt(request, 'GET', LIST)) return send(request)
    const url = new URL(request.url)
    const [limit = null, offset = null] = ['limit', 'offset'].map((name) => url.searchParams.get(name))
    if (!isLimit(limit ?? '20') || !isOffset(offset ?? '0')) return send(request)
    url.searchParams.set('limit', '100')
    url.searchParams.delete('offset')
    const response = await send(await changeRequest(request, { url }))
    return changeBody(response, (body) => {
      const all = [...body.articles].sort(() => Math.random() - 0.5)
      return { ...body, articles: all.slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit ?? 20)) }
    })
  }),
  'the limit is ignored': front(() =>
    changeQuery((query) => {
      if (isLimit(query.get('limit'))) query.delete('limit')
    }),
  ),
  'anybody deletes': front(() => {
    const authors = new Map<string, string>()
    return async (request, send) => {
      const slug = new URL(request.url).pathname.split('/').at(-1) as string
      const caller = request.headers.get('Authorization')
      const author = authors.get(decodeURIComponent(slug))
      if (isAt(request, 'DELETE', ARTICLE) && author !== undefined && caller !== null) {
        const account = new Request(new URL('/api/user', request.url), { headers: { Authorization: caller } })
        const isKnown = (await send(account)).status === 200
        return send(isKnown ? await changeRequest(request, { headers: { Authorization: author } }) : request)
      }
      const response = await send(request)
      const isWritten = isAt(request, 'POST', LIST) || isAt(request, 'PUT', ARTICLE)
      if (isWritten && response.status < 300 && caller !== null)
        authors.set((await response.clone().json()).article.slug, caller)
      return response
    }
  }),
  'signatures are not verified': (app) =>
    withReplacements(app, {
      verifiers: [
        verifier(Token, (token) => {
          const claims = String(token).split('.')[1] ?? ''
          try {
            return { id: Number(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub) }
          } catch {
            return undefined
          }
        }),
      ],
    }),
  'a statement for each element': front(() => async (request, send) => {
    const response = await send(request)
    if (!isAt(request, 'GET', LIST)) return response
    return changeBody(response, async (body) => {
      const { headers } = request
      for (const { slug } of body.articles)
        await send(new Request(new URL(`/api/articles/${encodeURIComponent(slug)}`, request.url), { headers }))
      return body
    })
  }),
  'an update forgets an attribute': front(() => async (request, send) => {
    const article = isAt(request, 'PUT', ARTICLE) ? (await readJson(request))?.article : undefined
    if (typeof article?.description !== 'string') return send(request)
    const { description: _, ...kept } = article
    return send(await changeRequest(request, { body: { article: kept } }))
  }),
  'a cache ignores the viewer': front(() => cacheByUrl(ARTICLE)),
  'a deletion does nothing': front(() => async (request, send) => {
    if (!isAt(request, 'DELETE', ARTICLE)) return send(request)
    const headers = new Headers(request.headers)
    headers.set('Content-Type', 'application/json')
    const update = new Request(request.url, { method: 'PUT', headers, body: JSON.stringify({ article: {} }) })
    const response = await send(update)
    return response.status < 300 ? new Response(null, { status: 204 }) : response
  }),
  'comments of other articles are shown': front(() => {
    const paths = new Set<string>()
    return async (request, send) => {
      const { pathname, origin } = new URL(request.url)
      const response = await send(request)
      if (isAt(request, 'POST', COMMENTS) && response.status < 300) paths.add(pathname)
      if (!isAt(request, 'GET', COMMENTS)) return response
      return changeBody(response, async ({ comments }) => {
        const others = [...paths].filter((path) => path !== pathname)
        const { headers } = request
        const all = await Promise.all(
          others.map(async (path) => (await send(new Request(origin + path, { headers }))).json()),
        )
        return { comments: [...comments, ...all.flatMap((one) => one.comments ?? [])] }
      })
    }
  }),
}
