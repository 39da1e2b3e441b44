// An uploaded file, as a multipart or binary body delivers it.
import { flag, list, number, text } from '../../util/setting-form.ts'
import { type Attribute, makeAttribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { describe, type JsonSchema } from '../json-schema.ts'
import type { Loader } from '../loading.ts'
import type { DefaultValue, AllowedDefault, KindOptionForms, OptionalFlag } from '../attribute-options.ts'
import { expecting, findSizeMistakes } from '../value-checks.ts'
import type { Nullable, Present } from '../types.ts'

/** Declares an uploaded file. */
export function file<
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<UploadedFile, R> = undefined,
>(options?: FileOptions<R, N, D>): Attribute<Nullable<UploadedFile, N>, Present<R, D>> {
  return makeAttribute(fileKind, undefined, options)
}

/** Options of an uploaded file. */
export interface FileOptions<R extends OptionalFlag = OptionalFlag, N extends OptionalFlag = OptionalFlag, D = DefaultValue<UploadedFile> | undefined>
  extends Options<UploadedFile, R, N, D> {
  /** The greatest size in bytes. */
  readonly max?: number
  /** Content types allowed, such as `image/png` or `image/*`. */
  readonly types?: readonly string[]
  /**
   * Passes the file to the action before it has arrived, to be read as a stream.
   * @default `false`
   * @see docs/guide/payloads.md
   */
  readonly stream?: boolean
}

/** A file that a client sent; the brand is a string so that any copy of this package, and any transport, can make one. */
export interface UploadedFile {
  readonly '~file': true
  /** The name the client gave it: text to show, never a path to write to. */
  readonly filename: string | undefined
  /** Its content type as the client states it. */
  readonly type: string
  /** Its size in bytes; undefined while it is still arriving. */
  readonly size: number | undefined
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  stream(): ReadableStream<Uint8Array>
  /** Its pieces, one after the other: `for await (const piece of file)`. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>
}

/** Returns whether a value is an uploaded file. */
export function isFile(value: unknown): value is UploadedFile {
  if (typeof value !== 'object' || value === null) return false
  const { '~file': brand, bytes } = value as Partial<UploadedFile>
  // The brand alone could be sent by a client as JSON; a function cannot.
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

const EXPECTED_FILE = /* @__PURE__ */ expecting(fileKind)

/** The rules of files. */
export const fileRules: KindRules<undefined> = {
  options: { max: number, types: list(text), stream: flag } satisfies KindOptionForms<FileOptions>,
  loader: (_, options) => makeFileLoader(options as FileOptions),
  dumper: () => (_value, dumping) => dumping.fail('type', { expected: NOT_RENDERABLE, kind: fileKind.name }),
  jsonSchema: (_, options) => describe(buildFileSchema(options as FileOptions), options),
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
      return loading.text && Array.isArray(value) ? loading.fail('repeated') : loading.fail('type', EXPECTED_FILE)
    if (types !== undefined && !isAcceptedType(types, value.type)) return loading.fail('file-type', { expected: types })
    if (max !== undefined && value.size !== undefined && value.size > max)
      return loading.fail('max', { limit: `${max} bytes`, bytes: max })
    return value
  }
}

// Parameters and letter case do not matter.
function isAcceptedType(types: readonly string[], type: string): boolean {
  const essence = (type.split(';', 1)[0] as string).trim().toLowerCase()
  return types.some((allowed) => {
    const wanted = allowed.toLowerCase()
    return wanted === essence || wanted === '*/*' || (wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1)))
  })
}

function buildFileSchema({ types }: FileOptions): JsonSchema {
  const only = types?.length === 1 && !types[0]?.includes('*') ? types[0] : ANY_TYPE
  return { type: 'string', contentMediaType: only }
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
