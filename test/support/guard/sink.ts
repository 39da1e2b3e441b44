// The sink of answers: the judge in this process, or a file for the test that started the process.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answered, type Body, type Documents, STREAM } from './answered.ts'
import type { Watched } from './watch.ts'

/** The variable that names the folder of the files. */
export const FOLDER = 'EDICT_TEST_ANSWERS'

/** Takes what comes by. */
export type Sink = (app: Watched, answered: Answered) => void

/** One line of a file: what an application says of itself, or one of its answers. */
export type Line =
  | { readonly app: number; readonly documents: Documents }
  | { readonly app: number; readonly answered: Omit<Answered, 'body'>; readonly body: WrittenBody }

type WrittenBody = null | { readonly text: string } | { readonly base64: string } | { readonly stream: true }

// Tests may load modules anew; they share the judge all the same.
const KEY = Symbol.for('edict.test.sink')
const shared = globalThis as { [KEY]?: Sink }

/** Answers of this process go here from now on. */
export function judgeHere(judge: Sink): void {
  shared[KEY] = judge
}

/** Takes an answer of any application of this process. */
export const sink: Sink = (app, answered) => (shared[KEY] ?? write)(app, answered)

const numbers = new WeakMap<Watched, number>()
let last = 0

/** Answers that were written, up to a number: under load the same ones come over and over. */
const written = new Set<string>()
const MOST_WRITTEN = 5000
/** Longer bodies are told apart by their lengths. */
const SHORT = 1000

const write: Sink = (app, { body, ...answered }) => {
  const folder = process.env[FOLDER]
  if (folder === undefined) return
  let number = numbers.get(app)
  if (number === undefined) {
    number = ++last
    numbers.set(app, number)
    append(folder, { app: number, documents: app.documents() })
  }
  const { method, url, version, status, headers } = answered
  const key = [number, method, url, version, status, ...headers, keyOf(body)].join('\n')
  if (written.has(key)) return
  if (written.size < MOST_WRITTEN) written.add(key)
  append(folder, { app: number, answered, body: writtenBody(body) })
}

// At once, because processes under test are killed.
const append = (folder: string, line: Line): void =>
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)

function keyOf(body: Body): string {
  if (body === null || body === STREAM) return String(body?.description)
  return typeof body === 'string' && body.length <= SHORT ? body : String(body.length)
}

function writtenBody(body: Body): WrittenBody {
  if (body === null) return null
  if (body === STREAM) return { stream: true }
  return typeof body === 'string' ? { text: body } : { base64: Buffer.from(body).toString('base64') }
}

/** The body of a line. */
export function readBody(body: WrittenBody): Body {
  if (body === null) return null
  if ('stream' in body) return STREAM
  return 'text' in body ? body.text : Buffer.from(body.base64, 'base64')
}
