// Files for examples: the client can send them, and an attribute takes them as it takes one that has arrived.
import type { UploadedFile } from '../../schema/structures/file.ts'

/** A small file of a type. */
export class ExampleFile extends Blob implements UploadedFile {
  readonly '~file' = true
  readonly filename: string

  constructor(type: string, size = 16) {
    super(['x'.repeat(size)], { type })
    this.filename = `example.${type.replace(/^.*[/+]/, '')}`
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer())
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield await this.bytes()
  }
}
