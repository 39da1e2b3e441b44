// `npm run campaign -- compat`: every case on every runtime, and a table of what passed where.
import { inCi, type Need } from '../../../scripts/machine.ts'
import { proxyNeed } from './proxy.ts'
import { runtimeNeed, runtimes } from './runtimes.ts'
import { finish, type Outcome, onRuntime, prepare, throughProxy, wireTests } from './suite.ts'
import { table } from './table.ts'

const outcomes: Outcome[] = []
const missing: Need[] = []
const say = (text: string): void => console.log(`[${new Date().toTimeString().slice(0, 8)}] ${text}`)

/** Runs one part; a part that cannot begin counts as failed. */
async function part(where: string, run: () => Promise<Outcome[]>): Promise<void> {
  say(where)
  try {
    outcomes.push(...(await run()))
  } catch (error) {
    outcomes.push({ where, group: 'start', name: 'the server starts', fault: String(error) })
  }
}

say('bundling')
await prepare()
for (const runtime of runtimes) {
  const need = runtimeNeed(runtime.name, runtime.program)
  if (need.missing === undefined) await part(runtime.name, () => onRuntime(runtime))
  else missing.push(need)
}
if (proxyNeed.missing === undefined) await part('nginx', throughProxy)
else missing.push({ ...proxyNeed, name: 'nginx' })
for (const major of [20, 22, 24]) {
  const runtime = runtimes.find(({ name }) => name === `node ${major}`)
  if (runtime?.program !== undefined) await part(`node ${major}, wire`, () => wireTests(major, ['src/adapters/node']))
}
finish()

const shared = outcomes.filter(({ where }) => where !== 'nginx and node')
const between = outcomes.filter(({ where }) => where === 'nginx and node')
if (shared.length > 0) console.log(`\n${table(shared)}\n`)
if (between.length > 0) console.log(`${table(between)}\n`)
const failed = outcomes.filter(({ fault }) => fault !== undefined)
for (const { where, group, name, fault } of failed) console.log(`FAILED ${where} › ${group} › ${name}: ${fault}`)
for (const { name, missing: why } of missing) console.log(`SKIPPED, needs ${name}: ${why}`)
console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed, ${missing.length} not installed`)
process.exit(failed.length > 0 || (inCi && missing.length > 0) ? 1 : 0)
