// Refuses reads that make a bundle depend on the machine that builds it: declarations that read files, the environment or the
// network. Modules of the project are refused at the line that reads; packages see an environment without variables.
import { syncBuiltinESMExports } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file or variable that a declaration read, and the location of the code that read it. */
export interface Reading {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly what: string
}

const GUARDED: Readonly<Record<string, string>> = {
  'node:fs': 'a file',
  'node:fs/promises': 'a file',
  'node:child_process': 'the output of a program',
  'node:net': 'the network',
  'node:tls': 'the network',
  'node:http': 'the network',
  'node:https': 'the network',
  'node:http2': 'the network',
  'node:dns': 'the network',
  'node:dns/promises': 'the network',
  'node:dgram': 'the network',
}

/** Guards the surroundings of this thread; returns what was read since the last call. */
export async function guardSurroundings(own: string): Promise<() => readonly Reading[]> {
  let readings: Reading[] = []
  const note = (what: string): void => {
    const place = findReader(own)
    if (place === undefined) return
    readings.push({ ...place, what })
    throw new Error(`${formatPlace(place)}: it reads ${what} while the bundle is made`)
  }
  for (const [name, what] of Object.entries(GUARDED)) {
    const module = ((await import(name)) as { readonly default: Record<string, unknown> }).default
    for (const [member, value] of Object.entries(module))
      if (typeof value === 'function' && !isClass(value))
        module[member] = guardFunction(value as Call, () => note(what))
  }
  syncBuiltinESMExports()
  for (const name of ['fetch', 'WebSocket', 'EventSource']) {
    const value: unknown = globalThis[name as never]
    if (typeof value === 'function') {
      const guarded = new Proxy(value, {
        apply(target, self, args) {
          note('the network')
          return Reflect.apply(target, self, args)
        },
        construct(target, args) {
          note('the network')
          return Reflect.construct(target, args)
        },
      })
      Object.defineProperty(globalThis, name, { value: guarded, writable: true, configurable: true })
    }
  }
  process.env = new Proxy(process.env, {
    get(target, name) {
      if (typeof name === 'string') note(`the environment variable ${name}`)
      return Reflect.get(target, name)
    },
    has(target, name) {
      note(`the environment variable ${String(name)}`)
      return Reflect.has(target, name)
    },
    ownKeys(target) {
      note('the environment')
      return Reflect.ownKeys(target)
    },
  })
  return () => {
    const found = readings
    readings = []
    return found
  }
}

type Call = (...args: unknown[]) => unknown

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value))

function guardFunction(original: Call, note: () => void): Call {
  const guarded = function (this: unknown, ...args: unknown[]): unknown {
    note()
    return new.target === undefined ? original.apply(this, args) : Reflect.construct(original, args, new.target)
  }
  return Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original))
}

// Loading a module reads its file, too: the reads of a loader are not those of the module.
const LOADER =
  /node:internal\/(?:modules|source_map|process\/esm_loader)|node_modules[\\/](?:tsx|esbuild|get-tsconfig)[\\/]/
const PACKAGE = /node_modules[\\/]/

/** Returns the location of the caller, if it is in a module of the project. */
function findReader(own: string): Omit<Reading, 'what'> | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const stack = String(new Error('where').stack)
  Error.stackTraceLimit = stackTraceLimit
  for (const frame of stack.split('\n').slice(1)) {
    if (LOADER.test(frame)) return undefined
    const [, location, line, column] =
      /(?:\(|at (?:async )?)((?:file:|\/|[A-Za-z]:[\\/])[^()]*):(\d+):(\d+)\)?$/.exec(frame) ?? []
    if (location === undefined) continue
    const file = (location.startsWith('file:') ? fileURLToPath(location) : location).split('?', 1)[0] as string
    if (!PACKAGE.test(file) && !file.startsWith(own)) return { file, line: Number(line), column: Number(column) }
  }
  return undefined
}

const formatPlace = ({ file, line, column }: Omit<Reading, 'what'>): string =>
  `${relative(process.cwd(), file)}:${line}:${column}`
