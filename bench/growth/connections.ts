// CPU per request with more and more connections at once: a server in a process of its own, and a load generator here.
import { fork } from 'node:child_process'
import { buildSync } from 'esbuild'
import { load } from '../load.js'
import { median, progress } from './report.ts'

/** Microseconds of CPU for one request. */
export interface Cost {
  readonly size: number
  readonly lowest: number
  readonly median: number
}

const SIZES = [1, 2, 4, 8, 16, 32, 64]
const REQUEST = Buffer.from('GET /things/12?limit=5 HTTP/1.1\r\nHost: localhost\r\n\r\n')
const ASKS = [{ request: REQUEST, status: 200 }]

/** Measures all numbers of connections in turns. */
export async function connectionCosts(quick: boolean): Promise<Cost[]> {
  const [rounds, count] = quick ? [5, 3000] : [15, 10_000]
  // A process of its own, so that the work of the generator is not counted.
  const bundle = 'bench/.cache/growth-server.mjs'
  buildSync({
    entryPoints: ['bench/growth/server.ts'],
    outfile: bundle,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
  const child = fork(bundle, { execArgv: [] })
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  const told = <T>(): Promise<T> =>
    Promise.race([ended, new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)))])
  const { port } = await told<{ port: number }>()
  const cpu = (): Promise<number> => {
    const answer = told<{ cpu: number }>()
    child.send('cpu')
    return answer.then((message) => message.cpu)
  }
  const samples = SIZES.map((): number[] => [])
  await load({ port, asks: ASKS, count: 20_000, connections: 16 })
  for (let round = 0; round < rounds; round++) {
    progress(`connections: round ${round + 1} of ${rounds}`)
    for (let i = 0; i < SIZES.length; i++) {
      const at = (i + round) % SIZES.length
      const before = await cpu()
      await load({ port, asks: ASKS, count, connections: SIZES[at]! })
      samples[at]!.push(((await cpu()) - before) / count)
    }
  }
  child.removeAllListeners('exit')
  child.disconnect()
  return SIZES.map((size, i) => ({ size, lowest: Math.min(...samples[i]!), median: median(samples[i]!) }))
}
