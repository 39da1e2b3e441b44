// The answers of one test file, its processes included: noted as they leave, judged when a test has ended.
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answered, STREAM } from './answered.ts'
import { type Break, Judge } from './judge.ts'
import { FOLDER, judgeHere, type Line, readBody } from './sink.ts'
import type { Watched } from './watch.ts'

/** A break and the test during which it came. */
export interface Found extends Break {
  readonly test: string
}

interface Note {
  readonly app: Watched
  readonly answered: Answered
  readonly test: string
}

/** So many answers, or characters of bodies, are judged without waiting for the end of the test. */
const MOST_NOTES = 500
const MOST_CHARACTERS = 4_000_000

/** Gathers and judges answers. */
export class Session {
  #test = ''
  #notes: Note[] = []
  #characters = 0
  #found: Found[] = []
  readonly #judges = new WeakMap<Watched, Judge>()
  readonly #children = new Children()
  #judged = 0

  /** How many answers were judged. */
  get judged(): number {
    return this.#judged
  }

  /** Takes the answers of all applications, in this process and in those that it starts. */
  begin(): void {
    judgeHere((app, answered) => this.note(app, answered))
    this.#children.begin()
  }

  /** Answers belong to this test from now on. */
  enter(test: string): void {
    this.#test = test
  }

  note(app: Watched, answered: Answered): void {
    this.#notes.push({ app, answered, test: this.#test })
    const { body } = answered
    if (body !== null && body !== STREAM) this.#characters += body.length
    if (this.#notes.length >= MOST_NOTES || this.#characters >= MOST_CHARACTERS) this.#judge()
  }

  /** The faults found since the last call. */
  take(): Found[] {
    for (const [app, answered] of this.#children.read()) this.note(app, answered)
    this.#judge()
    const found = this.#found
    this.#found = []
    return found
  }

  /** Forgets the files of processes. */
  end(): void {
    this.#children.end()
  }

  #judge(): void {
    const notes = this.#notes
    this.#notes = []
    this.#characters = 0
    for (const { app, answered, test } of notes) {
      let judge = this.#judges.get(app)
      if (judge === undefined) {
        judge = new Judge(app.documents())
        this.#judges.set(app, judge)
      }
      this.#judged++
      for (const one of judge.breaksOf(answered)) this.#found.push({ ...one, test })
    }
  }
}

const PRELOAD = `--import=${new URL('./preload.js', import.meta.url).href}`

/** Reads what processes write of their answers. */
class Children {
  #folder: string | undefined
  readonly #read = new Map<string, number>()
  readonly #rest = new Map<string, Buffer>()
  readonly #apps = new Map<string, Watched>()

  begin(): void {
    this.#folder = mkdtempSync(join(tmpdir(), 'edict-answers-'))
    process.env[FOLDER] = this.#folder
    const { NODE_OPTIONS = '' } = process.env
    if (!NODE_OPTIONS.includes(PRELOAD)) process.env['NODE_OPTIONS'] = `${NODE_OPTIONS} ${PRELOAD}`.trim()
  }

  end(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }

  *read(): Generator<[Watched, Answered]> {
    for (const file of this.#folder === undefined ? [] : readdirSync(this.#folder)) {
      for (const text of this.#lines(file)) {
        const line = JSON.parse(text) as Line
        const key = `${file} ${line.app}`
        if ('documents' in line) this.#apps.set(key, { documents: () => line.documents })
        else yield [this.#apps.get(key) as Watched, { ...line.answered, body: readBody(line.body) } as Answered]
      }
    }
  }

  // The last line may still be in the writing.
  #lines(file: string): string[] {
    const descriptor = openSync(join(this.#folder as string, file), 'r')
    try {
      const pieces = [this.#rest.get(file) ?? Buffer.alloc(0)]
      for (let at = this.#read.get(file) ?? 0; ; ) {
        const piece = Buffer.alloc(1 << 20)
        const count = readSync(descriptor, piece, 0, piece.length, at)
        at += count
        this.#read.set(file, at)
        if (count === 0) break
        pieces.push(piece.subarray(0, count))
      }
      const all = Buffer.concat(pieces)
      const end = all.lastIndexOf(10)
      this.#rest.set(file, all.subarray(end + 1))
      return end < 0 ? [] : all.subarray(0, end).toString().split('\n')
    } finally {
      closeSync(descriptor)
    }
  }
}
