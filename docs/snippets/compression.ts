// The snippets of docs/guide/compression.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'
import { compression } from 'edict/compression'

const Poems = endpoint('Poems', {
  actions: {
    show: { routing: route.get('/:lines'), params: { lines: t.integer() }, responses: { ok: 'text/plain' } },
    feed: { routing: route.get('/feed'), responses: { ok: 'text/event-stream' } },
  },
})

async function* events() {
  yield 'data: a line\n\n' // reaches the client at once
}

const poems = Poems.implement({
  show: ({ lines }) => 'Rose is a rose is a rose is a rose.\n'.repeat(lines),
  feed: (_, { reply }) => reply.ok(events()),
})

export const app = application({ controllers: [poems], plugins: [compression()] })
// #endregion

async function told(path: string, accept: string): Promise<string> {
  const answer = await app.fetch(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': accept } }))
  const { length } = new Uint8Array(await answer.arrayBuffer())
  const coding = answer.headers.get('Content-Encoding') ?? 'no coding'
  return `GET ${path}  Accept-Encoding: ${accept}  →  ${answer.status}, ${coding}, ${length} bytes`
}

/** The answers that the page shows. */
export const shown: Shown = {
  async answers() {
    const asked = [
      ['/poems/200', 'identity'],
      ['/poems/200', 'gzip'],
      ['/poems/2', 'gzip'],
      ['/poems/2', 'identity;q=0'],
    ] as const
    const lines: string[] = []
    for (const [path, accept] of asked) lines.push(await told(path, accept))
    return lines.join('\n')
  },
}
