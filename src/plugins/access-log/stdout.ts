// Writes lines to standard output in the background, in batches, and drops them if the reader stops.

/** A destination of log lines. */
export interface LogDestination {
  /** Accepts a line; returns false if the buffer is full. */
  write(line: string): boolean
  /** Resolves when all accepted lines are written or dropped. */
  flush(): Promise<void>
}

/** The maximum number of buffered characters. Beyond it lines are dropped, because requests must not wait for the log. */
const MAX_WAITING_LENGTH = 1024 * 1024
const STDOUT = 1
const RETRY_DELAY = 20

interface FileSystem {
  write(fd: number, bytes: Uint8Array, callback: (error: { code?: string } | null, written: number) => void): void
}

interface Platform {
  getBuiltinModule?(name: string): unknown
}

/** Opens standard output; on platforms without a file system, the console. */
export function createStdoutDestination(files: FileSystem | undefined = getFileSystem()): LogDestination {
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

// `process.stdout` writes to files and pipes synchronously: a paused reader would block every request.
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
      // Lines of requests that end together are written in one batch.
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
    const callbacks = this.#flushCallbacks
    this.#flushCallbacks = []
    for (const one of callbacks) one()
  }
}
