// The program under valgrind: requests of all workloads in turn until the code is optimised, then stretches of one workload
// each, with a mark before and after every stretch. `node bench/quick/program.js <stretches>` prints their sizes.
import { getPriority } from 'node:os'
import { app } from '../apps/edict.js'
import { asker, faultOf, guarded } from './requests.js'

/** Parts of a workload's usual warm-up: what comes before the first mark, and a stretch. */
const WARMUP = 0.2
const STRETCH = 0.02

const stretches = Number(process.argv[2] ?? 1)
const subjects = guarded.map((workload) => ({ ...workload, ask: asker(app, workload) }))

for (const workload of guarded) {
  const fault = await faultOf(app, workload)
  if (fault !== undefined) throw new Error(`${workload.id}: ${fault}`)
}
await warmUp()
const sizes = []
for (let i = 0; i < stretches; i++) {
  for (const subject of subjects) {
    const count = Math.round(subject.warmup * STRETCH)
    // Garbage of another workload is not counted to this one.
    globalThis.gc?.({ type: 'minor' })
    mark()
    await askTimes(subject, count)
    mark()
    sizes.push({ id: subject.id, count })
  }
}
console.log(JSON.stringify(sizes))

// In turn, so that no code is optimised for one workload alone.
async function warmUp() {
  for (let turn = 0; turn < 100; turn++)
    for (const subject of subjects) await askTimes(subject, Math.round((subject.warmup * WARMUP) / 100))
}

/** @param {typeof subjects[number]} subject @param {number} count */
async function askTimes({ id, ask, asks: [{ status }] }, count) {
  for (let i = 0; i < count; i++) {
    const given = ask()
    const answer = given instanceof Promise ? await given : given
    if (answer.status !== status) throw new Error(`${id}: an answer had the status ${answer.status}`)
  }
}

// This asks the system for something that nothing else here asks for: valgrind notes the count so far whenever the function
// behind it is entered.
function mark() {
  getPriority()
}
