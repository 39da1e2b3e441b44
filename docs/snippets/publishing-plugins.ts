// The snippets of docs/guide/publishing-plugins.md.
import { readFile } from 'node:fs/promises'
import type { Shown } from '../../scripts/snippets.ts'

// #region wrapper
import { type Attribute, t } from 'edict'

/** A page of anything. */
export const pageOf = <A extends Attribute>(of: A) =>
  t.object({ items: t.array(of, { required: true }), next: t.string() })
// #endregion

// #region test
import { application, endpoint, type Plugin, route } from 'edict'
import { client } from 'edict/client'
import { serve } from 'edict/node'

const Books = endpoint('Books', {
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } },
})

export async function statusWith(plugin: Plugin): Promise<number> {
  const app = application({ controllers: [Books.implement({ show: () => 'Emma' })], plugins: [plugin] })
  const server = await serve(app, { port: 0, host: '127.0.0.1', signals: false })
  try {
    const api = client({ Books }, { baseUrl: server.url, attempts: 1 })
    return (await api.Books.show({ id: 1 })).status
  } finally {
    await server.close()
  }
}
// #endregion

export const shown: Shown = {
  // The package that the tests build, pack and run.
  package: async () => (await readFile('test/plugins/strangers/package.json', 'utf8')).trimEnd(),
}
