// Compares CPU time per request. Contestants run as processes of their own, in interleaved rounds; their answers are checked
// before anything is timed. `node run.js [--quick] [--only workload] [--json file]`; needs a build and `npm ci` in this folder.
import { fork } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { load, once } from './load.js'
import { refusals, workloads } from './workloads.js'

const quick = process.argv.includes('--quick')
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined)
const jsonFile = option('--json')
const only = option('--only')
const settings = quick ? { rounds: 3, requests: 6000, warmup: 3000 } : { rounds: 7, requests: 20000, warmup: 10000 }
const CONNECTIONS = 16
const folder = new URL('./contestants/', import.meta.url)

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -3))
const contestants = await Promise.all(names.map(start))
try {
  for (const contestant of contestants) await verify(contestant)
  const results = []
  for (const workload of workloads.filter(({ name }) => only === undefined || name === only))
    results.push(await compare(workload))
  report(results)
  if (jsonFile !== undefined)
    writeFileSync(jsonFile, `${JSON.stringify({ node: process.version, settings, results }, null, 2)}\n`)
} finally {
  for (const { child } of contestants) child.kill()
}

function start(name) {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(`${name}.js`, folder), { env: { ...process.env, NODE_ENV: 'production' } })
    child.once('message', ({ port }) => resolve({ name, child, port }))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
}

async function verify({ name, port }) {
  for (const { title, request, status, check } of workloads) {
    const answer = await once(port, request)
    if (answer.status !== status || !check(answer.body, answer.headers)) {
      throw new Error(`${name} answers '${title}' wrongly: ${answer.status} ${answer.body}`)
    }
  }
  for (const request of refusals) {
    const { status, body } = await once(port, request)
    if (status !== 400) throw new Error(`${name} does not refuse ${request.split('\r\n')[0]}: ${status} ${body}`)
  }
}

function cpu({ child }) {
  return new Promise((resolve) => {
    child.once('message', ({ cpu: { user, system } }) => resolve(user + system))
    child.send('cpu')
  })
}

async function compare({ name, title, request }) {
  const samples = new Map(contestants.map((contestant) => [contestant.name, { micros: [], rates: [], p99: [] }]))
  for (const { port } of contestants) await load(port, request, settings.warmup, CONNECTIONS)
  for (let round = 0; round < settings.rounds; round++) {
    process.stderr.write(`\r${title}: round ${round + 1} of ${settings.rounds}   `)
    // Each round begins with another contestant, so that none always follows the same neighbour.
    for (let i = 0; i < contestants.length; i++) {
      const contestant = contestants[(i + round) % contestants.length]
      const before = await cpu(contestant)
      const { seconds, latencies } = await load(contestant.port, request, settings.requests, CONNECTIONS)
      const sample = samples.get(contestant.name)
      sample.micros.push(((await cpu(contestant)) - before) / settings.requests)
      sample.rates.push(settings.requests / seconds)
      sample.p99.push(latencies[Math.floor(latencies.length * 0.99)])
    }
  }
  process.stderr.write('\n')
  const rows = [...samples].map(([contestant, { micros, rates, p99 }]) => ({
    contestant,
    micros: median(micros),
    lowest: Math.min(...micros),
    rate: median(rates),
    p99: median(p99),
  }))
  return { name, title, rows }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function report(results) {
  for (const { title, rows } of results) {
    const of = (name) => rows.find(({ contestant }) => contestant === name).micros
    console.log(`\n${title}`)
    console.table(
      Object.fromEntries(
        rows.map(({ contestant, micros, lowest, rate, p99 }) => [
          contestant,
          {
            'CPU µs/request': Number(micros.toFixed(1)),
            lowest: Number(lowest.toFixed(1)),
            'to node:http': Number((micros / of('node')).toFixed(2)),
            'to fastify': Number((micros / of('fastify')).toFixed(2)),
            'requests/s': Math.round(rate),
            'p99 ms': Number(p99.toFixed(2)),
          },
        ]),
      ),
    )
  }
}
