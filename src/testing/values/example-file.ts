// Example files: the client can send them, and an attribute accepts them like an uploaded file.
import type { UploadedFile } from '../../schema/structures/file.ts'

/** A small file of a media type. */
export class ExampleFile extends Blob implements UploadedFile {
  readonly '~file' = true
  readonly filename: string

  constructor(type: string, size = 16) {
    super([/^text\/|json|xml/.test(type) ? 'x'.repeat(size) : createBytes(size)], { type })
    this.filename = `example.${type.replace(/^.*[/+]/, '')}`
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer())
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield await this.bytes()
  }
}

// Returns bytes that are not valid text, among them 0 and 255, with a line feed at the end.
function createBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length: size }, (_, i) => (255 + i * 127) % 256)
  if (size > 3) bytes.set([0, 10], size - 2)
  return bytes
}
