// Reports which rules of test/rules.json are proved by a passing test with the rule's id in its title, as in it('[RTE-03]
// …'). --list shows those titles, --summary only the groups; --require DEF,ACT fails on gaps there.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findLongTests } from './left-out.ts'
import { inCi } from './machine.ts'
import { extractRules, formatLack, listLacks, listTests, type Report, readProved, reportFile } from './report.ts'

interface Rules {
  readonly groups: Record<string, string>
  readonly rules: readonly { id: string; group: string; rule: string; beyond?: boolean }[]
}

const { values: options } = parseArgs({
  options: { list: { type: 'boolean' }, summary: { type: 'boolean' }, require: { type: 'string' } },
})
const required = new Set(options.require?.split(',').filter(Boolean))
const { groups, rules }: Rules = JSON.parse(readFileSync('test/rules.json', 'utf8'))

if (!existsSync(reportFile)) {
  console.log('rules: no report of a test run, so the tests run now')
  spawnSync('npm', ['test', '--', 'tests'], { stdio: 'inherit' })
}
if (!existsSync(reportFile)) {
  console.error(`rules: the test run left no ${reportFile}. Remedy: npm test -- tests, and mend what it says.`)
  process.exit(1)
}
const report: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
const provedElsewhere = readProved()
const tests = [...listTests(report), ...(provedElsewhere === undefined ? [] : listTests(provedElsewhere.report))]
// In CI nothing may be missing, so nothing is excused.
const lacks = inCi ? [] : listLacks(tests)
// Outside CI, slow files may not have run.
const longRules = inCi ? [] : findLongTests().flatMap((file) => extractRules(readFileSync(file, 'utf8')))
const excused = new Set([...lacks.flatMap((lack) => lack.rules), ...longRules])

function getStatus(id: string, passed: number, failed: boolean): 'FAILED' | 'proved' | 'not here' | 'missing' {
  if (failed) return 'FAILED'
  if (passed > 0) return 'proved'
  return excused.has(id) ? 'not here' : 'missing'
}

console.log(`rules: ${tests.length} tests, run at ${statSync(reportFile).mtime.toISOString()}`)
const rows = rules.map((rule) => {
  const own = tests.filter(({ fullName }) => extractRules(fullName).includes(rule.id))
  const passed = own.filter(({ status }) => status === 'passed').length
  const failed = own.some(({ status }) => status === 'failed')
  return { ...rule, own, passed, status: getStatus(rule.id, passed, failed) }
})
for (const { id, own, passed, status, rule, beyond } of options.summary ? [] : rows) {
  console.log(`${id}  ${String(passed).padStart(3)}  ${status.padEnd(8)}  ${beyond ? '⊕ ' : ''}${rule}`)
  if (options.list) for (const test of own) console.log(`${' '.repeat(14)}${test.status}: ${test.fullName}`)
}

console.log('\ngroup  proved  open')
for (const [group, title] of Object.entries(groups)) {
  const inside = rows.filter((row) => row.group === group)
  const open = inside.filter(({ status }) => status !== 'proved')
  const count = `${inside.length - open.length}/${inside.length}`.padEnd(6)
  const gaps = open
    .map(({ id, status }) => (['FAILED', 'not here'].includes(status) ? `${id} ${status}` : id))
    .join(' ')
  console.log(`${group}${required.has(group) ? '*' : ' '}   ${count}  ${gaps || `none (${title})`}`)
}
const proved = rows.filter(({ status }) => status === 'proved').length
console.log(`\n${proved} of ${rows.length} rules proved${required.size > 0 ? '; * marks the groups required' : ''}`)

for (const lack of lacks) console.log(formatLack(lack))

const known = new Set(rules.map(({ id }) => id))
const unknown = tests.filter(({ fullName }) => extractRules(fullName).some((id) => !known.has(id)))
for (const { fullName } of unknown) console.error(`rules: a title names a rule that does not exist: ${fullName}`)
const withoutGroup = rules.filter(({ group }) => !(group in groups))
for (const { id, group } of withoutGroup) console.error(`rules: ${id} is in the group ${group}, which has no title`)
for (const group of required) if (!(group in groups)) console.error(`rules: no group is called ${group}`)
const gaps = rows.filter(({ group, status }) => required.has(group) && (status === 'FAILED' || status === 'missing'))
for (const { id, status, rule } of gaps) console.error(`rules: ${id} is required and ${status}: ${rule}`)
const unknownGroup = [...required].some((group) => !(group in groups))
const lacking = gaps.length + unknown.length + withoutGroup.length
process.exitCode = lacking > 0 || unknownGroup ? 1 : 0
