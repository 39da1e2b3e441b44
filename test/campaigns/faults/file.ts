// A file of SQLite with an empty table of notes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'

/** A database that is one file. */
export interface NotesFile {
  readonly url: string
  /** The texts of all notes. */
  texts(): Promise<readonly unknown[]>
  remove(): void
}

/** Makes the file. */
export async function notesFile(): Promise<NotesFile> {
  const folder = mkdtempSync(join(tmpdir(), 'edict-faults-'))
  const url = `file:${join(folder, 'notes.db')}`
  const client = createClient({ url })
  await client.execute('create table notes (id integer primary key, text text not null)')
  return {
    url,
    texts: async () => (await client.execute('select text from notes')).rows.map((row) => row['text']),
    remove() {
      client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
