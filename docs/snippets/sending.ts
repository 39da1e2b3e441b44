// The snippets of docs/guide/sending.md.
import type { Shown } from '../../scripts/snippets.ts'
import { application, controller, endpoint, route, t } from 'edict'

const Files = endpoint('Files', {
  actions: {
    show: {
      routing: route.get('/:name'),
      params: { name: t.string() },
      responses: { ok: 'application/octet-stream' },
    },
    keep: {
      routing: route.put('/:name'),
      params: { name: t.string() },
      payload: t.file({ required: true, stream: true }),
      responses: { ok: 'text/plain' },
    },
  },
})
const app = application({
  controllers: [
    controller(Files, {
      show: (_, { reply }) => reply.ok(new Uint8Array(2000)),
      keep: async (_, { request }) => `${(await request.payload.bytes()).length} bytes`,
    }),
  ],
})

// #region client
import { type Around, client, etags } from 'edict/client'

async function sent(fetch: typeof app.fetch) {
  const lines: string[] = []
  const logging: Around = async ({ endpoint, action, request, attempt }, send) => {
    const answer = await send(request)
    lines.push(`${endpoint}.${action}, attempt ${attempt}: ${answer.status}`)
    return answer
  }
  const api = client(
    { Files },
    { baseUrl: 'http://files.test', fetch, timeout: 10_000, attempts: 2, around: [logging, etags()] },
  )
  await api.Files.show.ok({ name: 'a' }, { timeout: 60_000 })
  return lines
}
// #endregion

// #region large
import { type Progress, progress } from 'edict/client'

async function large(file: Blob) {
  const seen: Progress[] = []
  const api = client({ Files }, { baseUrl: 'http://files.test', fetch: app.fetch })
  const kept = await api.Files.keep.ok(
    { name: 'a' },
    { payload: file.stream(), around: progress((one) => seen.push(one)) },
  )
  const body = await api.Files.show.ok({ name: 'a' }, { stream: true })
  return [kept, `${seen[0]?.direction} of ${seen[0]?.bytes} bytes`, body instanceof ReadableStream]
}
// #endregion

let requests = 0

/** A server that cannot be reached through its proxy at first. */
const unsteady: typeof app.fetch = async (request) =>
  requests++ === 0 ? new Response('', { status: 502 }) : app.fetch(request)

/** The answers that the page shows. */
export const shown: Shown = {
  said: async () => (await sent(unsteady)).join('\n'),
  counted: async () => (await large(new Blob(['x'.repeat(100)]))).join('\n'),
}
