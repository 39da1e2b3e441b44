// Measures exports: an export of many rows as NDJSON and CSV against the driver's own cursor over the same rows, in one
// process, and the memory above idle. `npm run bench -- exports [--rows n] [--rounds n]`; ends with 1 when an aim is missed.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { OPEN } from '../lists/engines.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
})
const [rows, rounds] = [Number(values.rows), Number(values.rounds)]
const database = await OPEN.postgres(rows)
const child = fork(new URL('server.js', import.meta.url), [database.url], { execArgv: ['--expose-gc'] })

async function ask<V>(what: string): Promise<V> {
  child.send(what)
  const [answer] = await once(child, 'message')
  return answer as V
}

interface Cost {
  readonly seconds: number
  readonly cpu: number
}

async function measured(work: () => Promise<number>): Promise<Cost> {
  const [cpu, start] = [await ask<number>('cpu'), performance.now()]
  const read = await work()
  if (read !== rows) throw new Error(`${read} rows were read, not ${rows}`)
  return { seconds: (performance.now() - start) / 1000, cpu: ((await ask<number>('cpu')) - cpu) / 1e6 }
}

/** Reads an export to its end, and counts its lines. */
async function exported(url: string, type: string, header: number): Promise<number> {
  const response = await fetch(`${url}/items`, { headers: { Accept: type } })
  let lines = -header
  for await (const piece of response.body as ReadableStream<Uint8Array>)
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
  return lines
}

try {
  const [url] = (await once(child, 'message')) as [string]
  const contest: Readonly<Record<string, () => Promise<number>>> = {
    'the cursor of pg': () => ask('raw'),
    NDJSON: () => exported(url, 'application/x-ndjson', 0),
    CSV: () => exported(url, 'text/csv', 1),
  }
  for (const work of Object.values(contest)) await work()
  const costs = new Map(Object.keys(contest).map((name) => [name, [] as Cost[]]))
  const idle = await ask<number>('idle')
  await contest['NDJSON']?.()
  await contest['CSV']?.()
  const above = ((await ask<number>('most')) - idle) / 1e6
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(contest)) costs.get(name)?.push(await measured(work))
  const best = (name: string, of: keyof Cost): number => Math.min(...(costs.get(name) ?? []).map((one) => one[of]))
  const [raw = ''] = costs.keys()
  console.log(
    `\n${rows} rows, ${rounds} rounds, the best of each\n\n| | rows/s | of the cursor | CPU/row | of the cursor |\n|---|---|---|---|---|`,
  )
  for (const name of costs.keys()) {
    const [seconds, cpu] = [best(name, 'seconds'), best(name, 'cpu')]
    const cells = [(rows / seconds / 1000).toFixed(0), (best(raw, 'seconds') / seconds).toFixed(2)]
    console.log(
      `| ${name} | ${cells[0]}k | ${cells[1]} | ${((cpu * 1e6) / rows).toFixed(2)} µs | ${(cpu / best(raw, 'cpu')).toFixed(2)} |`,
    )
  }
  const rate = best(raw, 'seconds') / best('NDJSON', 'seconds')
  console.log(`\nMemory above idle: ${above.toFixed(0)} MB; rate of NDJSON: ${rate.toFixed(2)} of the cursor`)
  const holds = above < 100 && rate >= 0.5
  console.log(holds ? 'Both aims hold: less than 100 MB, at least half the rate.' : 'An aim is missed.')
  process.exitCode = holds ? 0 : 1
} finally {
  child.kill()
  await database.close()
}
