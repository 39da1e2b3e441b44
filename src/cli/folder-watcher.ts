// Watches the folders of files, also of files and folders that come and go. Folders are watched rather than files: an
// editor that replaces a file ends the watch of the old one.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The folders of some files. */
export class FolderWatcher {
  readonly #onChange: (path: string) => void
  readonly #folders = new Set<string>()
  readonly #watchers = new Map<string, FSWatcher>()

  /** `touched` is told a path when something may have happened to it, or to what is below it. */
  constructor(touched: (path: string) => void) {
    this.#onChange = touched
  }

  /** Watches the folder of a file from now on. */
  watch(file: string): void {
    this.#folders.add(dirname(file))
    this.#watchFolder(dirname(file))
  }

  /** Lets go of all of them. */
  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #watchFolder(folder: string): void {
    if (this.#watchers.has(folder)) return
    try {
      const watcher = watch(folder, (_, name) => this.#handleEvent(folder, name))
      watcher.on('error', () => this.#handleEvent(folder, null))
      this.#watchers.set(folder, watcher)
    } catch {
      // It is not there: the folder above sees it come.
      if (dirname(folder) !== folder) this.#watchFolder(dirname(folder))
    }
  }

  #handleEvent(folder: string, name: string | null): void {
    // A folder that was removed, or moved away, tells its own name, and then nothing more: another may be in its place.
    const isAll = name === null || name === basename(folder)
    if (isAll) {
      this.#watchers.get(folder)?.close()
      this.#watchers.delete(folder)
    }
    for (const wanted of this.#folders) this.#watchFolder(wanted)
    this.#onChange(isAll ? folder : join(folder, basename(name)))
  }
}
