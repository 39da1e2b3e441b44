// Lines on standard output, if there is one: written in the background, in batches, and dropped if the reader stops.

/** Takes lines and writes them when it can. */
export interface Destination {
  /** Takes a line; false when there is no room for it. */
  write(line: string): boolean
  /** Resolves when all lines that were taken are written, or given up. */
  flush(): Promise<void>
}

/** Characters that may wait; then lines are lost, because requests are worth more. */
const ROOM = 1024 * 1024
const STDOUT = 1
const RETRY = 20

interface Files {
  write(fd: number, bytes: Uint8Array, callback: (error: { code?: string } | null, written: number) => void): void
}

interface Platform {
  getBuiltinModule?(name: string): unknown
}

/** Standard output; on platforms without files, the console. */
export function standardOutput(files: Files | undefined = filesOf()): Destination {
  if (files !== undefined) return new Background(files)
  return {
    write(line) {
      console.log(line)
      return true
    },
    flush: () => Promise.resolve(),
  }
}

function filesOf(): Files | undefined {
  const { process } = globalThis as { process?: Platform }
  return process?.getBuiltinModule?.('node:fs') as Files | undefined
}

// `process.stdout` writes to files and pipes at once: a reader that pauses would hold up every request.
class Background implements Destination {
  readonly #files: Files
  #waiting: string[] = []
  #length = 0
  #writing = false
  #lost = false
  #idle: (() => void)[] = []

  constructor(files: Files) {
    this.#files = files
  }

  write(line: string): boolean {
    if (this.#lost || this.#length + line.length > ROOM) return false
    this.#waiting.push(line)
    this.#length += line.length
    if (!this.#writing) {
      this.#writing = true
      // All requests that end together are written together.
      setTimeout(() => this.#next(), 0)
    }
    return true
  }

  flush(): Promise<void> {
    return this.#writing ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve()
  }

  #next(): void {
    if (this.#waiting.length === 0) return this.#rest()
    const bytes = new TextEncoder().encode(`${this.#waiting.join('\n')}\n`)
    this.#waiting = []
    this.#length = 0
    this.#write(bytes)
  }

  #write(bytes: Uint8Array): void {
    this.#files.write(STDOUT, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#write(bytes), RETRY)
      else if (error !== null) {
        // The reader is gone: the process continues without its log.
        this.#lost = true
        this.#waiting = []
        this.#rest()
      } else if (written < bytes.length) this.#write(bytes.subarray(written))
      else this.#next()
    })
  }

  #rest(): void {
    this.#writing = false
    const idle = this.#idle
    this.#idle = []
    for (const one of idle) one()
  }
}
