// Runs declarations in a separate thread, and writes their tables: a new thread is a new graph of modules.
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { guardSurroundings } from './guard-surroundings.ts'
import type { Answer, Mistake } from './run-declarations.ts'
import { writeTable } from './write-table.ts'

/** The scripts of edict. */
const OWN_FOLDER = dirname(dirname(fileURLToPath(import.meta.url)))

const port = parentPort
if (port !== null) await listen(port)

async function listen(to: NonNullable<typeof parentPort>): Promise<void> {
  const imported = new Set<string>()
  // Node itself runs JavaScript, and newer versions TypeScript with complete imports.
  const tsx = await import('tsx/esm/api').catch(() => undefined)
  tsx?.register({ onImport: (url) => imported.add(url) })
  const takeReadings = await guardSurroundings(OWN_FOLDER)
  const tabulate = async (file: string): Promise<void> => {
    let answer: Answer
    try {
      const exports = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
      const [reading] = takeReadings()
      answer = reading === undefined ? { ...writeTable(exports), file } : { mistake: describeReading(reading), file }
    } catch (error) {
      const [reading] = takeReadings()
      answer = { mistake: reading === undefined ? describeError(error, file) : describeReading(reading), file }
    }
    const dependencies = [...imported].flatMap((url) => (url.startsWith('file:') ? [toPath(url)] : []))
    to.postMessage({ ...answer, dependencies: [...new Set([file, ...dependencies])] })
  }
  to.on('message', (file: string) => void tabulate(file))
  to.postMessage('ready')
}

const toPath = (url: string): string => fileURLToPath(url.split('?', 1)[0] as string)

const describeReading = ({ what, ...place }: { what: string } & Omit<Mistake, 'text'>): Mistake => ({
  ...place,
  text: `it reads ${what} while the bundle is made. Remedy: move that to a module of the server, or read it where it is used`,
})

function describeError(error: unknown, file: string): Mistake {
  const { message = String(error), stack = '' } = (error ?? {}) as { message?: string; stack?: string }
  const text = message.replaceAll(/\?(?:tsx-)?namespace=\w+/g, '')
  for (const line of `${stack}`.split('\n')) {
    const [, location, row, column] =
      /(?:\(|at (?:async )?|^)((?:file:|\/|[A-Za-z]:[\\/])[^()]*?):(\d+):(\d+)(?:\)|: |$)/.exec(line) ?? []
    if (location === undefined || /node_modules[\\/]/.test(location)) continue
    const path = location.startsWith('file:') ? toPath(location) : location
    if (path.startsWith(OWN_FOLDER)) continue
    return { file: path, line: Number(row), column: Number(column), text }
  }
  return { file, line: 1, column: 1, text }
}
