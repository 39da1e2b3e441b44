// The snippets of docs/guide/files.md.
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Shown } from '../../scripts/snippets.ts'
import { answered, answers } from './support/http.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-files-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

// #region declaration
import { application, endpoint, mediaType, route, t } from 'edict'

const Cover = mediaType('Cover', {
  attributes: {
    id: t.string({ required: true }),
    title: t.string({ required: true }),
    bytes: t.integer({ required: true }),
  },
})

const Covers = endpoint('Covers', {
  mediaType: Cover,
  actions: {
    // A form with a text and a picture, both in memory.
    create: {
      routing: route.post('/'),
      payload: {
        title: t.string({ required: true, max: 100 }),
        picture: t.file({ required: true, types: ['image/png', 'image/jpeg'], max: 2_000_000 }),
      },
      responses: { created: Cover },
    },
    // The body is the file. It is read while it arrives.
    scan: {
      routing: route.put('/:id/scan'),
      params: { id: t.string({ pattern: /[a-z0-9]{1,20}/ }) },
      payload: t.file({ required: true, stream: true, max: 500_000_000 }),
      responses: { ok: Cover },
    },
    download: {
      routing: route.get('/:id/scan'),
      params: { id: t.string({ pattern: /[a-z0-9]{1,20}/ }) },
      responses: { ok: 'application/octet-stream', notFound: true },
    },
  },
})
// #endregion

// #region store
import type { UploadedFile } from 'edict'

/** Writes a file piece by piece; a broken upload leaves nothing behind. */
async function keep(file: UploadedFile, id: string): Promise<number> {
  const unfinished = join(folder, `${id}.part`)
  const handle = await open(unfinished, 'w')
  let size = 0
  try {
    for await (const piece of file) {
      await handle.write(piece)
      size += piece.length
    }
    await handle.close()
    await rename(unfinished, join(folder, id))
    return size
  } catch (error) {
    await handle.close()
    await rm(unfinished, { force: true })
    throw error
  }
}
// #endregion

// #region controller
const covers = Covers.implement({
  async create(_, { request, reply }) {
    const { title, picture } = request.payload
    const bytes = await keep(picture, 'emma')
    return reply.created({ id: 'emma', title, bytes })
  },
  scan: async ({ id }, { request, reply }) => reply.ok({ id, title: id, bytes: await keep(request.payload, id) }),
  async download({ id }, { reply }) {
    const path = join(folder, id)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) return reply.notFound(`There is no scan ${id}.`)
    const headers = { 'Content-Disposition': `attachment; filename="${id}.bin"` }
    return reply.ok(createReadStream(path), { headers })
  },
})
// #endregion

const app = application({ controllers: [covers], logger: { info() {}, warn() {}, error() {} } })

// #region client
import { client } from 'edict/client'

async function send(fetch: typeof app.fetch): Promise<string> {
  const api = client({ Covers }, { baseUrl: 'http://localhost:3000', fetch })
  const picture = new File([new Uint8Array(1200)], 'emma.png', { type: 'image/png' })
  const { name } = await api.Covers.create(undefined, { payload: { title: 'Emma', picture } })
  const scan = await api.Covers.scan({ id: 'emma' }, { payload: new Blob([new Uint8Array(9000)]).stream() })
  return `${name}, then ${scan.name === 'ok' ? scan.body.bytes : scan.status} bytes`
}
// #endregion

const form = (name: string, type: string): FormData => {
  const body = new FormData()
  body.set('title', 'Emma')
  body.set('picture', new File([new Uint8Array(1200)], name, { type }))
  return body
}
const asked = async (line: string, init: RequestInit): Promise<string> => {
  const answer = await app.fetch(new Request(`http://localhost${line.split(' ')[1]}`, init))
  return `${line}\n\n${await answered(answer)}`
}

/** The answers that the page shows. */
export const shown: Shown = {
  created: () => asked('POST /covers', { method: 'POST', body: form('emma.png', 'image/png') }),
  client: () => send(app.fetch),
  downloads: async () => {
    await app.fetch(new Request('http://localhost/covers/note/scan', { method: 'PUT', body: 'Closed on Mondays' }))
    return answers(app, ['GET /covers/note/scan', 'GET /covers/other/scan', 'GET /covers/..%2Fetc/scan'])
  },
  refused: () => asked('POST /covers', { method: 'POST', body: form('emma.exe', 'application/x-msdownload') }),
}
