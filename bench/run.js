// Compares CPU time per request. Contestants are processes of their own, in interleaved rounds; their answers are checked first.
import { parseArgs } from 'node:util'
import { faultsOf } from './check.js'
import { contestantNames } from './contestants.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, contestants: { type: 'string' } },
})
const names = positionals.length > 0 ? positionals : (values.contestants?.split(',') ?? contestantNames())
let wrong = 0
for (const name of names) {
  const faults = await faultsOf(name)
  wrong += faults.length
  console.error(faults.length === 0 ? `${name}: all answers are right` : [`${name}:`, ...faults].join('\n'))
}
process.exitCode = wrong > 0 ? 1 : 0
