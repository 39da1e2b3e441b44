// Files of a mock: what was put at a path is what it gives back.

import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { isFile, type UploadedFile } from '../schema/structures/file.ts'
import { ownValue } from '../util/describe-value.ts'

type FileParams = Readonly<Record<string, unknown>>

/** A file that a client has sent. */
interface StoredFile {
  readonly type: string
  readonly bytes: Uint8Array
}

/** The files that clients have sent, each at the path of its action. */
export class MockFiles {
  readonly #files = new Map<string, StoredFile>()

  /** Keeps the only file of a payload. */
  async save(action: ResolvedAction, params: FileParams, payload: unknown): Promise<void> {
    const all = isFile(payload) ? [payload] : Object.values(Object(payload)).filter(isFile)
    const [file] = all as UploadedFile[]
    if (file === undefined || all.length > 1) return
    const kept = { type: file.type, bytes: await file.bytes() }
    for (const place of buildFileKeys(action, params)) this.#files.set(place, kept)
  }

  /** The bytes of a type at the path of an action. */
  find(action: ResolvedAction, params: FileParams, type: string): Uint8Array | undefined {
    const found = buildFileKeys(action, params).map((place) => this.#files.get(place))
    return found.find((one) => one?.type === type)?.bytes
  }
}

const buildFileKeys = ({ endpoint, routes }: ResolvedAction, params: FileParams): string[] =>
  routes.map(({ path, pattern }) =>
    JSON.stringify([
      endpoint.name,
      endpoint.version,
      path,
      pattern.names.map((name) => String(ownValue(params, name))),
    ]),
  )
