// Stores the files of a mock: a file sent to a path is returned from it.

import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { isFile, type UploadedFile } from '../schema/structures/file.ts'
import { getOwnValue } from '../util/describe-value.ts'

type FileParams = Readonly<Record<string, unknown>>

/** An uploaded file. */
interface StoredFile {
  readonly type: string
  readonly bytes: Uint8Array
}

/** The uploaded files, by the path of their action. */
export class MockFiles {
  readonly #files = new Map<string, StoredFile>()

  /** Stores the file of a payload, if it has exactly one. */
  async save(action: ResolvedAction, params: FileParams, payload: unknown): Promise<void> {
    const all = isFile(payload) ? [payload] : Object.values(Object(payload)).filter(isFile)
    const [file] = all as UploadedFile[]
    if (file === undefined || all.length > 1) return
    const stored = { type: file.type, bytes: await file.bytes() }
    for (const key of buildFileKeys(action, params)) this.#files.set(key, stored)
  }

  /** Returns the stored bytes for the path of an action, if they have the given type. */
  find(action: ResolvedAction, params: FileParams, type: string): Uint8Array | undefined {
    const found = buildFileKeys(action, params).map((key) => this.#files.get(key))
    return found.find((one) => one?.type === type)?.bytes
  }
}

const buildFileKeys = ({ endpoint, routes }: ResolvedAction, params: FileParams): string[] =>
  routes.map(({ path, pattern }) =>
    JSON.stringify([
      endpoint.name,
      endpoint.version,
      path,
      pattern.names.map((name) => String(getOwnValue(params, name))),
    ]),
  )
