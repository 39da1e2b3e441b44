// Files of a mock: what was put at a path is what it gives back.

import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { isFile, type UploadedFile } from '../schema/structures/file.ts'
import { ownValue } from '../util/described.ts'

type Params = Readonly<Record<string, unknown>>

/** A file that a client has sent. */
interface Kept {
  readonly type: string
  readonly bytes: Uint8Array
}

/** The files that clients have sent, each at the path of its action. */
export class Files {
  readonly #all = new Map<string, Kept>()

  /** Keeps the only file of a payload. */
  async keep(action: ResolvedAction, params: Params, payload: unknown): Promise<void> {
    const all = isFile(payload) ? [payload] : Object.values(Object(payload)).filter(isFile)
    const [file] = all as UploadedFile[]
    if (file === undefined || all.length > 1) return
    const kept = { type: file.type, bytes: await file.bytes() }
    for (const place of placesOf(action, params)) this.#all.set(place, kept)
  }

  /** The bytes of a type at the path of an action. */
  at(action: ResolvedAction, params: Params, type: string): Uint8Array | undefined {
    const found = placesOf(action, params).map((place) => this.#all.get(place))
    return found.find((one) => one?.type === type)?.bytes
  }
}

const placesOf = ({ endpoint, routes }: ResolvedAction, params: Params): string[] =>
  routes.map(({ path, pattern }) =>
    JSON.stringify([
      endpoint.name,
      endpoint.version,
      path,
      pattern.names.map((name) => String(ownValue(params, name))),
    ]),
  )
