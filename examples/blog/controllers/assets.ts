// Files as streams, and a farewell to the site that was here before.
import { controller } from 'edict'
import { Assets, Legacy } from '../design/assets.ts'
import { files } from '../seed.ts'

/** Implements Assets. */
export const assets = controller(Assets, {
  // One text for each wildcard of the path.
  show({ splat: [path = ''] }, { reply }) {
    const asset = files.get(path)
    if (asset === undefined) return reply.notFound(`There is no file ${path}.`)
    const body = new Blob([asset.text]).stream()
    return reply.ok(body, { mediaType: asset.type })
  },
})

/** Implements Legacy. */
export const legacy = controller(Legacy, {
  gone: ({ splat }, { reply, request }) => reply.gone(`${request.method} ${splat.join('/')} is not coming back.`),
})
