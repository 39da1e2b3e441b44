// Bodies of requests in each form: JSON, forms, multipart with files, texts, bytes, and files read as they arrive.
import { endpoint, route, t } from 'edict'

const note = {
  title: t.string({ required: true, max: 100 }),
  copies: t.integer({ default: 1 }),
  tags: t.array(t.string()),
}
const received = t.object({
  filename: t.string(),
  type: t.string(),
  size: t.integer(),
  sum: t.integer(),
  label: t.string(),
})

const Uploads = endpoint('Uploads', {
  actions: {
    note: {
      routing: route.post('/notes'),
      payload: note,
      consumes: ['application/json', 'application/x-www-form-urlencoded'],
      responses: { created: { mediaType: t.any(), location: /\/api\/uploads.*/ } },
    },
    text: { routing: route.put('/text'), payload: t.string({ required: true }), responses: { ok: 'text/plain' } },
    echo: { routing: route.post('/echo'), payload: t.any({ required: true }), responses: { ok: t.any() } },
    scan: {
      routing: route.post('/scans'),
      payload: { label: t.string({ required: true }), page: t.file({ required: true, types: ['image/*'] }) },
      responses: { ok: received },
    },
    bytes: { routing: route.put('/bytes'), payload: t.file({ required: true }), responses: { ok: received } },
    stream: {
      routing: route.put('/stream'),
      payload: t.file({ required: true, stream: true }),
      bodyLimit: 16 * 1024 * 1024,
      responses: { ok: received },
    },
    ignored: { routing: route.post('/ignored'), responses: { ok: 'text/plain' } },
  },
})

const sumOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (sum + byte) % 65_521, 0)

/** Tells what arrived. */
export const uploads = () =>
  Uploads.implement({
    note: (_, { request, reply }) => reply.created(request.payload, { location: '/api/uploads/notes/1' }),
    text: (_, { request }) => `${request.payload.length} characters: ${request.payload.slice(0, 20)}`,
    echo: (_, { request, reply }) => reply.ok(request.payload),
    async scan(_, { request, reply }) {
      const { label, page } = request.payload
      const bytes = await page.bytes()
      return reply.ok({
        filename: page.filename ?? 'none',
        type: page.type,
        size: bytes.length,
        sum: sumOf(bytes),
        label,
      })
    },
    async bytes(_, { request, reply }) {
      const bytes = await request.payload.bytes()
      return reply.ok({ type: request.payload.type, size: bytes.length, sum: sumOf(bytes) })
    },
    async stream(_, { request, reply }) {
      let size = 0
      for await (const piece of piecesOf(request.payload.stream())) size += piece.length
      return reply.ok({ size })
    },
    ignored: () => 'not read',
  })

// Not every runtime lets streams be iterated.
async function* piecesOf(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
