// Reads tar archives: headers of 512 bytes, each before the bytes of its file.

/** A file of an archive. */
export interface ArchivedFile {
  readonly path: string
  readonly content: Buffer
}

/** The plain files of an archive, in its order. */
export function* filesOf(archive: Buffer): Generator<ArchivedFile> {
  const field = (from: number, to: number): string => archive.toString('utf8', from, to).split('\0')[0] as string
  for (let at = 0; at + 512 <= archive.length; ) {
    const size = Number.parseInt(field(at + 124, at + 136), 8) || 0
    const [name, prefix, kind] = [field(at, at + 100), field(at + 345, at + 500), field(at + 156, at + 157)]
    if (name !== '' && (kind === '' || kind === '0')) {
      yield { path: prefix === '' ? name : `${prefix}/${name}`, content: archive.subarray(at + 512, at + 512 + size) }
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
}
