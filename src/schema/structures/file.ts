// An uploaded file from a multipart or binary body.

import { getEssence } from '../../util/media-type.ts'
import { flag, list, number, text } from '../../util/setting-form.ts'
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue, KindOptionForms } from '../attribute-options.ts'
import { applyOptions, type JsonSchema } from '../json-schema.ts'
import type { Loader } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { findSizeMistakes, toExpected } from '../value-checks.ts'

/** Declares an uploaded file. */
export function file<
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<UploadedFile, R> = undefined,
>(options?: FileOptions<R, N, D>): Attribute<Nullable<UploadedFile, N>, PresenceOf<R, D>> {
  return makeAttribute(fileKind, undefined, options)
}

/** The options of `t.file`. */
export interface FileOptions<
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<UploadedFile> | undefined,
> extends Options<UploadedFile, R, N, D> {
  /** The maximum size in bytes. */
  readonly max?: number
  /** The allowed content types, such as `image/png` or `image/*`. */
  readonly types?: readonly string[]
  /**
   * Passes the file to the action before it has arrived; the action reads it as a stream.
   * @default `false`
   * @see docs/guide/payloads.md
   */
  readonly stream?: boolean
}

/**
 * A file sent by a client. The brand is a string so that any copy of this package, and any transport, can create one.
 */
export interface UploadedFile {
  readonly '~file': true
  /** The name sent by the client: display it, never write to it as a path. */
  readonly filename: string | undefined
  /** The content type sent by the client. */
  readonly type: string
  /** The size in bytes; undefined while the file is still arriving. */
  readonly size: number | undefined
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  stream(): ReadableStream<Uint8Array>
  /** Iterates over the chunks: `for await (const chunk of file)`. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>
}

export function isFile(value: unknown): value is UploadedFile {
  if (typeof value !== 'object' || value === null) return false
  const { '~file': brand, bytes } = value as Partial<UploadedFile>
  // A client could send the brand as JSON, but not a function.
  return brand === true && typeof bytes === 'function'
}

const NOT_RENDERABLE = 'left out: a file cannot be rendered in a structure'
const ANY_TYPE = 'application/octet-stream'

const fileKind = {
  name: 'file',
  shape: 'file',
  expected: 'a file',
  write: (_value, _, fail) => fail('must be a Blob or a File, and in no structure'),
} satisfies KindOutline<undefined>

/** The outline of `t.file`. */
export const fileOutline: KindOutline<undefined> = fileKind

const EXPECTED_FILE = /* @__PURE__ */ toExpected(fileKind)

/** The rules of `t.file`. */
export const fileRules: KindRules<undefined> = {
  options: { max: number, types: list(text), stream: flag } satisfies KindOptionForms<FileOptions>,
  loader: (_, options) => makeFileLoader(options as FileOptions),
  dumper: () => (_value, dumping) => dumping.fail('type', { expected: NOT_RENDERABLE, kind: fileKind.name }),
  jsonSchema: (_, options) => applyOptions(buildFileSchema(options as FileOptions), options),
  example: () => undefined,
  mistakes: (_, options) => findFileMistakes(options as FileOptions),
  extraConstraints: ({ max, types }: FileOptions) => ({
    ...(max !== undefined && { max: String(max) }),
    ...(types !== undefined && { types: types.map((type) => type.toLowerCase()).sort() }),
  }),
}

function makeFileLoader({ max, types }: FileOptions): Loader {
  return function loadFile(value, loading) {
    if (!isFile(value))
      return loading.source === 'text' && Array.isArray(value)
        ? loading.fail('repeated')
        : loading.fail('type', EXPECTED_FILE)
    if (types !== undefined && !isAcceptedType(types, value.type)) return loading.fail('file-type', { expected: types })
    if (max !== undefined && value.size !== undefined && value.size > max)
      return loading.fail('max', { limit: `${max} bytes`, bytes: max })
    return value
  }
}

// Compares without parameters and case.
function isAcceptedType(types: readonly string[], type: string): boolean {
  const essence = getEssence(type)
  return types.some((allowed) => {
    const wanted = allowed.toLowerCase()
    return wanted === essence || wanted === '*/*' || (wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1)))
  })
}

function buildFileSchema({ types }: FileOptions): JsonSchema {
  const type = types?.length === 1 && !types[0]?.includes('*') ? types[0] : ANY_TYPE
  return { type: 'string', contentMediaType: type }
}

function findFileMistakes({ max, types }: FileOptions): string[] {
  const mistakes = findSizeMistakes(max === undefined ? {} : { max })
  if (types?.length === 0) mistakes.push('types is empty: no file could ever be sent')
  for (const type of types ?? []) {
    if (!/^[\w.+-]+\/(?:[\w.+-]+|\*)$|^\*\/\*$/.test(type))
      mistakes.push(`types names ${type}, which is not a content type`)
  }
  return mistakes
}
