// Every kind of thing that an action can give as a body, each with counters: what it opened, and how often it was closed.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Duplex, Readable } from 'node:stream'

/** What one body has opened, and how often it was closed. */
export interface Probe {
  opened: number
  closed: number
}

/** How a body goes on: to its end, until it fails, with a piece that cannot be sent, for ever, or not at all after a piece. */
export type Course = 'short' | 'fails' | 'odd' | 'endless' | 'silent'

/** How a body is meant: pieces of a text, elements of a list in lines or JSON text sequences, or events. */
export const MEANINGS = ['text', 'list', 'jsonl', 'json-seq', 'events'] as const
export type Meaning = (typeof MEANINGS)[number]

type Step = IteratorResult<unknown, undefined>

const DONE: Step = { done: true, value: undefined }
const never = new Promise<never>(() => {})
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function valueAt(course: Course, meaning: Meaning, at: number): unknown {
  const id = course === 'odd' && at === 1 ? 'odd' : at
  if (meaning === 'events') return { event: 'row', id: `${at}`, data: { id } }
  return meaning === 'text' && id === at ? `${at};` : { id }
}

function syncStep(course: Course, meaning: Meaning, at: number): Step {
  if (course === 'fails' && at >= 2) throw new Error('It cannot be read')
  if ((course === 'short' || course === 'odd') && at >= 3) return DONE
  return { done: false, value: valueAt(course, meaning, at) }
}

async function step(course: Course, meaning: Meaning, at: number): Promise<Step> {
  if (course === 'silent' && at === 1) return never
  if (course === 'endless') await pause(2)
  return syncStep(course, meaning, at)
}

/** Makes a body. */
type Make = (probe: Probe, course: Course, meaning: Meaning) => unknown

function nodeStream(probe: Probe, course: Course, meaning: Meaning, autoDestroy: boolean): Readable {
  probe.opened++
  let at = 0
  return new Readable({
    autoDestroy,
    objectMode: meaning !== 'text',
    read() {
      step(course, meaning, at++).then(
        ({ done, value }) => this.push(done === true ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      probe.closed++
      done(error)
    },
  })
}

/** A stream whose other side stays open, such as a socket: it does not close itself at its end. */
function duplex(probe: Probe, course: Course, meaning: Meaning): Duplex {
  probe.opened++
  let at = 0
  return new Duplex({
    readableObjectMode: meaning !== 'text',
    read() {
      step(course, meaning, at++).then(
        ({ done, value }) => this.push(done === true ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    write: (_chunk, _encoding, done) => done(),
    destroy(error, done) {
      probe.closed++
      done(error)
    },
  })
}

// Such a stream takes the memory of its pieces, which must be theirs alone.
function byteStream(probe: Probe, course: Course): ReadableStream {
  probe.opened++
  let at = 0
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { done, value } = await step(course, 'text', at++).catch(() => ({ done: false, value: undefined }))
      if (done === true) {
        probe.closed++
        controller.close()
      } else if (typeof value === 'string') controller.enqueue(new TextEncoder().encode(value))
      else {
        probe.closed++
        throw new Error('It cannot be read')
      }
    },
    cancel() {
      probe.closed++
    },
  })
}

function webStream(probe: Probe, course: Course, meaning: Meaning): ReadableStream {
  probe.opened++
  let at = 0
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await step(course, meaning, at++).catch((error: unknown) => {
          probe.closed++
          throw error
        })
        if (done !== true) return controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value)
        probe.closed++
        controller.close()
      },
      cancel() {
        probe.closed++
      },
    },
    { highWaterMark: 0 },
  )
}

async function* generator(probe: Probe, course: Course, meaning: Meaning): AsyncGenerator<unknown> {
  probe.opened++
  try {
    for (let at = 0; ; at++) {
      const { done, value } = await step(course, meaning, at)
      if (done === true) return
      yield value
    }
  } finally {
    probe.closed++
  }
}

/** An iterator that closes itself at its end, and is closed otherwise by `return`. */
function iterator(probe: Probe, course: Course, meaning: Meaning): AsyncIterableIterator<unknown> {
  probe.opened++
  let at = 0
  return {
    async next() {
      const found = await step(course, meaning, at++)
      if (found.done === true) probe.closed++
      return found as IteratorResult<unknown>
    },
    async return() {
      probe.closed++
      return DONE
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const ASYNC_DISPOSE: symbol = (Symbol as unknown as { readonly asyncDispose: symbol }).asyncDispose

function disposable(probe: Probe, course: Course, meaning: Meaning): object {
  probe.opened++
  let at = 0
  return {
    [Symbol.asyncIterator]: () => ({ next: () => step(course, meaning, at++) }),
    async [ASYNC_DISPOSE]() {
      probe.closed++
    },
  }
}

/** A cursor as synchronous drivers of databases give it. */
function cursor(probe: Probe, course: Course, meaning: Meaning): IterableIterator<unknown> {
  probe.opened++
  let at = 0
  return {
    next() {
      const found = syncStep(course, meaning, at++)
      if (found.done === true) probe.closed++
      return found as IteratorResult<unknown>
    },
    return() {
      probe.closed++
      return DONE
    },
    [Symbol.iterator]() {
      return this
    },
  }
}

function file(probe: Probe, course: Course): Readable {
  const paths: Partial<Record<Course, string>> = { fails: '/nowhere', endless: '/dev/zero' }
  const made = createReadStream(paths[course] ?? import.meta.filename, { highWaterMark: 64 })
  probe.opened++
  return made.once('close', () => probe.closed++)
}

async function fileHandle(probe: Probe): Promise<object> {
  const made = await open(import.meta.filename)
  probe.opened++
  return Object.assign(made).once('close', () => probe.closed++)
}

/** Something that holds a connection and has attributes, as rows of some drivers do. */
function held(probe: Probe): object {
  probe.opened++
  return {
    id: 1,
    async [ASYNC_DISPOSE]() {
      probe.closed++
    },
  }
}

/** A cursor that is read by calls, as some drivers of databases have them. */
function readCursor(probe: Probe): object {
  probe.opened++
  return {
    id: 1,
    read: async () => [],
    async close() {
      probe.closed++
    },
  }
}

/** The kinds of bodies. */
export const kinds: Readonly<Record<string, Make>> = {
  'a stream of Node': (...given) => nodeStream(...given, true),
  'a stream of Node that does not close itself': (...given) => nodeStream(...given, false),
  'a duplex': duplex,
  'a file': file,
  'a web stream': webStream,
  'a web stream of bytes': byteStream,
  'an async generator': generator,
  'an async iterator': iterator,
  'an async iterable': (...given) => {
    const made = iterator(...given)
    return { [Symbol.asyncIterator]: () => ({ next: () => made.next(), return: () => made.return?.() }) }
  },
  'an async iterable that can be disposed of': disposable,
  'a cursor': cursor,
  'the handle of a file': fileHandle,
  'something that can be disposed of': held,
  'a cursor that is read by calls': readCursor,
  'a response of Fetch': (...given) => new Response(webStream(...given)),
}

/** The kinds that give no elements of lists. */
export const TEXT_KINDS: readonly string[] = ['a file', 'a web stream of bytes']
