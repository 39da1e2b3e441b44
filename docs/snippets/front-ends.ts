// The snippets of docs/guide/front-ends.md.
import { application, controller, endpoint, inherit, mediaType, route, security, t, verifier } from 'edict'
import type { Shown } from '../../scripts/snippets.ts'

const Note = mediaType('Note', {
  attributes: { id: t.integer({ required: true }), text: t.string({ required: true }), at: t.dateTime() },
})
const Card = security.bearer<{ readonly name: string }>('Card')
const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Note, notFound: true } },
    change: {
      routing: route.patch('/:id'),
      security: Card,
      params: { id: t.integer() },
      payload: { text: inherit },
      responses: { ok: Note, notFound: true },
    },
  },
})
const note = { id: 1, text: 'Call Ada' }
const app = application({
  verifiers: [verifier(Card, (token) => (token === 'fresh' ? { name: 'Ada' } : undefined))],
  controllers: [
    controller(Notes, {
      show: (_, { reply }) => reply.ok(note),
      change: (_, { request, reply }) => reply.ok(Object.assign(note, request.payload)),
    }),
  ],
})

const asked: string[] = []
const session: { token?: string; csrf?: string } = { token: 'old' }

/** The API, which notes what it was asked. */
const fetch: typeof app.fetch = async (request) => {
  const answer = await app.fetch(request)
  asked.push(`${request.method} ${request.headers.get('Authorization')}: ${answer.status}`)
  return answer
}

async function renew(): Promise<string> {
  asked.push('the token is renewed')
  return 'fresh'
}

// #region api
import { type Around, client } from 'edict/client'

let renewal: Promise<string> | undefined

/** Renews the token where the server refuses it, once for all calls that wait, and sends the request again. */
const renewing: Around = async ({ request }, send) => {
  const again = request.clone()
  const answer = await send(request)
  if (answer.status !== 401) return answer
  renewal ??= renew().finally(() => {
    renewal = undefined
  })
  session.token = await renewal
  again.headers.set('Authorization', `Bearer ${session.token}`)
  return send(again)
}

const api = client(
  { Notes },
  {
    baseUrl: 'https://api.example',
    fetch,
    credentials: 'include',
    timeout: 10_000,
    headers: () => ({
      'X-CSRF-Token': session.csrf,
      ...(session.token !== undefined && { Authorization: `Bearer ${session.token}` }),
    }),
    around: renewing,
  },
)
// #endregion

// #region optimistic
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { mutationOptions, queryOptions } from 'edict/tanstack-query'

const cache = new QueryClient()
const shown1 = queryOptions(api.Notes.show, { id: 1 })

// In a component: useMutation({ … })
const changing = new MutationObserver(cache, {
  ...mutationOptions(api.Notes.change),
  async onMutate([, { payload }]) {
    await cache.cancelQueries(shown1)
    const before = cache.getQueryData(shown1.queryKey)
    cache.setQueryData(shown1.queryKey, (old) => old && { ...old, ...payload })
    return { before }
  },
  onError: (_, __, kept) => void cache.setQueryData(shown1.queryKey, kept?.before),
  onSettled: () => cache.invalidateQueries({ queryKey: ['Notes'] }),
})
// #endregion

// #region testing
import { mock } from 'edict/mock'

const mocked = mock([Notes])
// MSW: setupServer(http.all('https://api.example/*', ({ request }) => mocked.fetch(request)))
const tested = client({ Notes }, { baseUrl: 'https://api.example', fetch: mocked.fetch })
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  async renewed() {
    await Promise.all([1, 2].map((id) => api.Notes.change({ id }, { payload: { text: 'Call Bob' } })))
    return asked.join('\n')
  },
  async optimistic() {
    note.text = 'Call Ada'
    const lines: (string | undefined)[] = [(await cache.fetchQuery(shown1)).text]
    const sent = changing.mutate([{ id: 1 }, { payload: { text: 'Call Eve' } }])
    const stop = cache.getQueryCache().subscribe(() => {
      const text = cache.getQueryData(shown1.queryKey)?.text
      if (lines.at(-1) !== text) lines.push(text)
    })
    await sent
    stop()
    return lines.join('\n')
  },
  mocked: async () => (await tested.Notes.show.ok({ id: 1 })).text,
}
