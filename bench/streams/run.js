// `npm run bench -- streams`: many open streams of events in one process, by edict and by hand on node:http, in one run: memory of
// each, CPU of one publish to all, and other requests meanwhile. `--streams 1000` takes fewer, `--rounds 3` repeats less often.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { streams: { type: 'string' }, rounds: { type: 'string' } } })
const streams = Number(values.streams ?? 10_000)
const rounds = Number(values.rounds ?? 3)
const PUBLISHES = 30

/** @param {string} name @param {string[]} args */
const start = (name, ...args) =>
  fork(fileURLToPath(new URL(`${name}.js`, import.meta.url)), args, { execArgv: ['--expose-gc'], stdio: 'inherit' })

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<any>} */
const answer = (child) => new Promise((resolve) => child.once('message', resolve))

/** @param {import('node:child_process').ChildProcess} child @param {string} message */
function ask(child, message) {
  const answered = answer(child)
  child.send(message)
  return answered
}

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {number[]} all @param {number} share */
const quantile = (all, share) => all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) * share)] ?? Number.NaN

/** @param {string} name */
async function measure(name) {
  const server = start(name)
  const { url } = await answer(server)
  const reader = start('reader', url, String(streams))
  const empty = await ask(server, 'report')
  await ask(reader, 'open')
  await sleep(500)
  const full = await ask(server, 'report')

  const { received: before } = await ask(reader, 'count')
  let published = 0
  const publish = async () => {
    await ask(server, 'publish')
    published++
    for (;;) {
      const { received } = await ask(reader, 'count')
      if (received - before === published * streams) return
      if (received - before > published * streams) throw new Error('an event came twice')
      await sleep(5)
    }
  }
  for (let i = 0; i < 5; i++) await publish()
  const { cpu: begun } = await ask(server, 'report')
  for (let i = 0; i < PUBLISHES; i++) await publish()
  const { cpu: ended } = await ask(server, 'report')
  reader.send('ping')
  for (let i = 0; i < PUBLISHES; i++) {
    await publish()
    await sleep(20)
  }
  const { times } = await ask(reader, 'pinged')
  server.kill()
  reader.kill()
  return {
    rss: (full.rss - empty.rss) / streams / 1024,
    heap: (full.heap - empty.heap) / streams / 1024,
    cpu: (ended - begun) / PUBLISHES / 1000,
    median: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }
}

const NAMES = /** @type {const} */ (['edict', 'by-hand'])
/** @type {Record<string, Awaited<ReturnType<typeof measure>>[]>} */
const results = { edict: [], 'by-hand': [] }
for (let round = 0; round < rounds; round++)
  for (const name of NAMES) {
    console.error(`streams: round ${round + 1} of ${rounds}, ${name}`)
    results[name]?.push(await measure(name))
  }

/** @param {string} name @param {'rss' | 'heap' | 'cpu' | 'median' | 'p99'} key */
const best = (name, key) => Math.min(...(results[name] ?? []).map((one) => one[key]))
const load = readFileSync('/proc/loadavg', 'utf8').trim()
console.log(`${streams} open streams, the lowest of ${rounds} rounds; machine load ${load}\n`)
console.log('| | edict | node:http by hand | ratio |')
console.log('|---|---|---|---|')
for (const [title, key] of /** @type {const} */ ([
  ['memory of a stream, kB of the process', 'rss'],
  ['memory of a stream, kB of the heap', 'heap'],
  ['CPU of one publish to all, ms', 'cpu'],
  ['another request meanwhile, median ms', 'median'],
  ['another request meanwhile, p99 ms', 'p99'],
])) {
  const [own, theirs] = [best('edict', key), best('by-hand', key)]
  console.log(`| ${title} | ${own.toFixed(1)} | ${theirs.toFixed(1)} | ${(own / theirs).toFixed(2)} |`)
}
