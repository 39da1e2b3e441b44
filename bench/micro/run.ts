// Measures edict's parts by themselves against those of others: router, payloads, bodies, queries.
// `npm run bench -- micro [--quick] [--only text] [--json file] [--write]`.
import { finish, options, short, type Table } from '../growth/report.ts'
import { type Timing, time } from '../growth/timing.ts'
import { payloadSubjects } from './payload.ts'
import { querySubjects } from './query.ts'
import { renderSubjects } from './render.ts'
import { routerSubjects } from './router.ts'

interface Found {
  readonly title: string
  readonly timings: readonly Timing[]
}

const rounds = options.quick ? 60 : 250
const subjects = [...routerSubjects(), ...payloadSubjects(), ...renderSubjects(), ...querySubjects()]
const found = subjects
  .filter(({ title }) => options.only === undefined || title.includes(options.only))
  .map(({ title, ways }): Found => ({ title, timings: time(title, ways, rounds) }))
finish('micro', { tables: found.map(table), verdicts: [], data: found })

function table({ title, timings }: Found): Table {
  const own = timings[0]!
  const rows = timings.map(({ name, lowest, median }) => [
    name,
    short(lowest),
    short(median),
    (lowest / own.lowest).toFixed(2),
  ])
  return { title, head: ['', 'ns, lowest', 'ns, median', 'to edict (lowest)'], rows }
}
