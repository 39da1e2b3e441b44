// Reads tar archives: a header of 512 bytes precedes the bytes of each file.

/** A file of an archive. */
export interface ArchivedFile {
  readonly path: string
  readonly content: Buffer
}

/** Yields the regular files of an archive in order. */
export function* filesOf(archive: Buffer): Generator<ArchivedFile> {
  const readField = (from: number, to: number): string => archive.toString('utf8', from, to).split('\0')[0] as string
  for (let position = 0; position + 512 <= archive.length; ) {
    const size = Number.parseInt(readField(position + 124, position + 136), 8) || 0
    const [name, prefix, kind] = [
      readField(position, position + 100),
      readField(position + 345, position + 500),
      readField(position + 156, position + 157),
    ]
    if (name !== '' && (kind === '' || kind === '0')) {
      yield {
        path: prefix === '' ? name : `${prefix}/${name}`,
        content: archive.subarray(position + 512, position + 512 + size),
      }
    }
    position += 512 + Math.ceil(size / 512) * 512
  }
}
