// A common interface for requests to TypeScript 5.9's tsserver and TypeScript 7's language server.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A position in a file, counted from 0. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The text that an editor shows for a word. */
interface Hover {
  readonly text: string
  /** The JSDoc of the declaration. */
  readonly docs: string
}

/** A language server with open files. */
export interface Editor {
  /** Opens a file, or replaces the text of an open one. */
  show(file: string, text: string): void
  /** Types a text at a position, replacing the given number of characters of its line. */
  type(at: Place, text: string, replaced?: number): void
  /** Returns the first lines of the errors of a file. */
  errors(file: string): Promise<readonly string[]>
  hover(at: Place): Promise<Hover | undefined>
  definitions(at: Place): Promise<readonly Place[]>
  references(at: Place): Promise<readonly Place[]>
  /** Returns the positions that change when the name at a position is renamed; empty when it cannot be renamed. */
  renames(at: Place): Promise<readonly Place[]>
  completions(at: Place): Promise<readonly string[]>
  /** Returns the CPU time of the server in milliseconds; undefined where the system does not report it. */
  cpu(): number | undefined
  close(): void
}

/** A message of either protocol; its members depend on the protocol. */
// biome-ignore lint/suspicious/noExplicitAny: the members depend on the request, and a wrong one fails its test
export type Message = any

/** Sends requests to a process and waits for the responses; with `framed`, messages have a Content-Length header, as in LSP. */
export class Connection {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, (response: Message) => void>()
  readonly #framed: boolean
  readonly #getId: (message: Message) => number | undefined
  #received: Buffer = Buffer.alloc(0)
  #last = 0

  constructor(args: readonly string[], framed: boolean, getId: (message: Message) => number | undefined) {
    this.#framed = framed
    this.#getId = getId
    this.#process = spawn(process.execPath, ['--max-old-space-size=6000', ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    process.once('exit', () => this.#process.kill())
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** Sends a request built from its id, and resolves to its response. */
  request(message: (id: number) => Message): Promise<Message> {
    const id = ++this.#last
    this.notify(message(id))
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  /** Sends a message without a response. */
  notify(message: Message): void {
    const text = JSON.stringify(message)
    const header = this.#framed ? `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n` : ''
    this.#process.stdin?.write(`${header}${text}${this.#framed ? '' : '\n'}`)
  }

  /** Returns the CPU time of the process and its children. */
  cpu(): number | undefined {
    const pid = this.#process.pid!
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
      return [String(pid), ...children].reduce((sum, one) => sum + readCpuTime(one), 0)
    } catch {
      return undefined
    }
  }

  close(): void {
    this.#process.kill()
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    for (;;) {
      const head = this.#received.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.subarray(0, head).toString())?.[1])
      const end = head + 4 + length
      if (this.#received.length < end) return
      const message: Message = JSON.parse(this.#received.subarray(head + 4, end).toString())
      this.#received = this.#received.subarray(end)
      const id = this.#getId(message)
      if (id === undefined) continue
      this.#waiting.get(id)?.(message)
      this.#waiting.delete(id)
    }
  }
}

// The user and kernel time, in hundredths of a second, follow the name of the command.
function readCpuTime(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
