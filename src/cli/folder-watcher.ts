// Watches the folders of files, including files and folders that are created or removed later. Folders are watched instead
// of files because an editor that replaces a file ends the watch of the old one.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Watches the folders of a set of files. */
export class FolderWatcher {
  readonly #onChange: (path: string) => void
  readonly #folders = new Set<string>()
  readonly #watchers = new Map<string, FSWatcher>()

  /** Calls `onChange` with a path when it, or anything below it, may have changed. */
  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange
  }

  /** Starts to watch the folder of a file. */
  watch(file: string): void {
    this.#folders.add(dirname(file))
    this.#watchFolder(dirname(file))
  }

  /** Closes all watchers. */
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
      // The folder does not exist: watch its parent, which reports when it is created.
      if (dirname(folder) !== folder) this.#watchFolder(dirname(folder))
    }
  }

  #handleEvent(folder: string, name: string | null): void {
    // A removed or renamed folder reports its own name once and then nothing: another folder may have replaced it.
    const isAll = name === null || name === basename(folder)
    if (isAll) {
      this.#watchers.get(folder)?.close()
      this.#watchers.delete(folder)
    }
    for (const watched of this.#folders) this.#watchFolder(watched)
    this.#onChange(isAll ? folder : join(folder, basename(name)))
  }
}
