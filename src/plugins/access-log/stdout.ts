// Lines on standard output, if there is one: written in the background, in batches, and dropped if the reader stops.

/** Takes lines and writes them when it can. */
export interface LogDestination {
  /** Takes a line; false when there is no room for it. */
  write(line: string): boolean
  /** Resolves when all lines that were taken are written, or given up. */
  flush(): Promise<void>
}

/** Characters that may wait; then lines are lost, because requests are worth more. */
const MAX_WAITING_LENGTH = 1024 * 1024
const STDOUT = 1
const RETRY_DELAY = 20

interface FileSystem {
  write(fd: number, bytes: Uint8Array, callback: (error: { code?: string } | null, written: number) => void): void
}

interface Platform {
  getBuiltinModule?(name: string): unknown
}

/** Standard output; on platforms without files, the console. */
export function openStandardOutput(files: FileSystem | undefined = getFileSystem()): LogDestination {
  if (files !== undefined) return new BackgroundWriter(files)
  return {
    write(line) {
      console.log(line)
      return true
    },
    flush: () => Promise.resolve(),
  }
}

function getFileSystem(): FileSystem | undefined {
  const { process } = globalThis as { process?: Platform }
  return process?.getBuiltinModule?.('node:fs') as FileSystem | undefined
}

// `process.stdout` writes to files and pipes at once: a reader that pauses would hold up every request.
class BackgroundWriter implements LogDestination {
  readonly #files: FileSystem
  #waitingLines: string[] = []
  #waitingLength = 0
  #isWriting = false
  #isClosed = false
  #flushCallbacks: (() => void)[] = []

  constructor(files: FileSystem) {
    this.#files = files
  }

  write(line: string): boolean {
    if (this.#isClosed || this.#waitingLength + line.length > MAX_WAITING_LENGTH) return false
    this.#waitingLines.push(line)
    this.#waitingLength += line.length
    if (!this.#isWriting) {
      this.#isWriting = true
      // All requests that end together are written together.
      setTimeout(() => this.#writeNext(), 0)
    }
    return true
  }

  flush(): Promise<void> {
    return this.#isWriting ? new Promise((resolve) => this.#flushCallbacks.push(resolve)) : Promise.resolve()
  }

  #writeNext(): void {
    if (this.#waitingLines.length === 0) return this.#finishWriting()
    const bytes = new TextEncoder().encode(`${this.#waitingLines.join('\n')}\n`)
    this.#waitingLines = []
    this.#waitingLength = 0
    this.#writeBytes(bytes)
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#files.write(STDOUT, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeBytes(bytes), RETRY_DELAY)
      else if (error !== null) {
        // The reader is gone: the process continues without its log.
        this.#isClosed = true
        this.#waitingLines = []
        this.#finishWriting()
      } else if (written < bytes.length) this.#writeBytes(bytes.subarray(written))
      else this.#writeNext()
    })
  }

  #finishWriting(): void {
    this.#isWriting = false
    const idle = this.#flushCallbacks
    this.#flushCallbacks = []
    for (const one of idle) one()
  }
}
