// `npm run bench -- production`: edict and Fastify with what a service in production has, on S1 to S3, in one run.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measure } from '../measure.js'
import { workloads } from '../workloads.js'

const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
const selected = workloads.filter(({ id }) => ['S1', 'S2', 'S3'].includes(id))
const names = ['edict', 'fastify', '../production/edict', '../production/fastify']
const settings = {
  rounds: Number(values.rounds ?? 13),
  requests: undefined,
  sampleSeconds: 0.3,
  warmup: 1,
  pauseMs: 50,
  quick: false,
}
const results = await measure(selected, names, settings)

/** @param {import('../measure.js').Result} result @param {string} name */
const lowest = ({ samples }, name) => Math.min(...(samples.find(({ contestant }) => contestant === name)?.micros ?? []))

console.log(
  `CPU µs/request, the lowest of ${settings.rounds} rounds; machine load ${readFileSync('/proc/loadavg', 'utf8').trim()}\n`,
)
console.log('| | edict bare | Fastify bare | ratio | edict in production | Fastify in production | ratio |')
console.log('|---|---|---|---|---|---|---|')
for (const result of results) {
  const [bare, other, own, theirs] = names.map((name) => lowest(result, name))
  const cells = [bare, other, bare / other, own, theirs, own / theirs].map((one, i) => one.toFixed(i % 3 === 2 ? 2 : 1))
  console.log(`| ${result.id} ${result.title} | ${cells.join(' | ')} |`)
}
