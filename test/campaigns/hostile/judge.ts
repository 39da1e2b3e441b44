// Judges one case: plays it against a contestant and lists what the server did that it must not do.
import type { AppName, HostileCase, Outcome } from './case.ts'
import type { Cost } from './gauge.ts'
import { play, type Seen } from './wire.ts'

/** Milliseconds of CPU that one request may cost on a machine that does the fixed work in `YARDSTICK`. */
const MOST_CPU = 50
/** Milliseconds of the fixed work on the slowest machine that `MOST_CPU` is meant for; slower ones may take longer. */
const YARDSTICK = 10
const MOST_TRIES = 5
/** Megabytes that the server may grow by for one request. */
const MOST_MEMORY = 10

/** A server, as a judge needs it. */
export interface Judged {
  readonly alive: boolean
  port(app: AppName): number
  mark(thorough: boolean): Promise<void>
  measure(): Promise<Cost>
  serves(app: AppName): Promise<boolean>
}

/** The verdict on a case. */
export interface Verdict {
  /** The faults; none when the case is passed. */
  readonly faults: readonly string[]
  /** Texts of the engine in the answer, which count against edict only. */
  readonly engineText?: string
  readonly cost: Cost
}

/** How strictly a case is judged: edict by its own promises, others by what any server owes. */
export type Strictness = 'edict' | 'anyone'

/** Plays and judges a case. One that only costs too much is tried again, as the engine compiles and collects at any time. */
export async function judge(server: Judged, one: HostileCase, strictness: Strictness): Promise<Verdict> {
  let verdict = await attempt(server, one, strictness, false)
  for (let tries = 1; tries < MOST_TRIES && verdict.faults.length > 0 && verdict.faults.every(isCost); tries++) {
    verdict = await attempt(server, one, strictness, true)
  }
  return verdict
}

/** The cost of a server that did not survive the case: unknown. */
const NOTHING: Cost = { cpu: 0, yardstick: 0, memory: 0, polluted: [] }

const isCost = (fault: string): boolean => fault.startsWith('cost: ')

async function attempt(server: Judged, one: HostileCase, strictness: Strictness, thorough: boolean): Promise<Verdict> {
  const { app = 'surface', steps, sequence, head = false, linger = 0, patience = 5000 } = one
  await server.mark(thorough)
  const port = server.port(app)
  const seen = await play({ port, steps, expected: sequence?.length ?? 1, head, linger, patience })
  const cost = await server.measure().catch(() => NOTHING)
  const engineText = ENGINE.exec(seen.text)?.[0]
  const faults = [...seenFaults(one, seen, strictness), ...costFaults(cost, one.cpu ?? MOST_CPU)]
  if (!server.alive || !(await server.serves(app))) faults.push('the next request is not served')
  return { faults, cost, ...(engineText !== undefined && { engineText }) }
}

/** The faults in the observed behaviour of a server, without its cost. */
export function seenFaults(one: HostileCase, seen: Seen, strictness: Strictness): string[] {
  const faults = [...outcomeFaults(one, seen, strictness), ...leaks(seen)]
  const engineText = ENGINE.exec(seen.text)?.[0]
  if (strictness === 'edict' && engineText !== undefined) faults.push(`it repeats the engine: ${engineText}`)
  const wrong = one.safe?.(seen) ?? (strictness === 'edict' ? one.own?.(seen) : undefined)
  if (wrong !== undefined) faults.push(wrong)
  return faults
}

function outcomeFaults(one: HostileCase, seen: Seen, strictness: Strictness): string[] {
  const faults: string[] = []
  if (seen.complaint !== undefined) faults.push(`it is not HTTP: ${seen.complaint}`)
  if (isGone(one)) return faults
  const statuses = seen.answers.map(({ status }) => status)
  if (one.sequence !== undefined && strictness === 'edict') {
    if (statuses.join() !== one.sequence.join()) faults.push(`the answers are ${statuses.join() || 'none'}`)
    return faults
  }
  if (statuses.length > (one.sequence?.length ?? 1)) faults.push(`it gives ${statuses.length} answers: ${statuses}`)
  const [first] = statuses
  if (first === undefined && seen.silent) faults.push('it neither answers nor closes')
  else if (!may(one, first ?? 'closed', strictness)) faults.push(`it answers ${first ?? 'by closing'}`)
  return faults
}

/** A client that disappears waits for nothing. */
const isGone = ({ steps }: HostileCase): boolean => steps.includes('RESET')

function may({ allow, anyone }: HostileCase, outcome: Outcome, strictness: Strictness): boolean {
  if (strictness === 'edict') return allow.includes(outcome)
  if (anyone !== undefined) return anyone.includes(outcome)
  if (allow.includes(outcome)) return true
  return outcome !== 'closed' && outcome < 500
}

const LEAKS: readonly (readonly [string, RegExp])[] = [
  ['a stack trace', /\n\s+at .+:\d+:\d+|\\n\s+at .+:\d+:\d+/],
  ['a path of the server', /node_modules|node:internal|\/(?:work|home|usr|root|tmp|Users)\/[\w.-]+\//],
  [
    'a statement of SQL',
    /\b(?:select|insert into|update|delete from)\b[^<]{0,200}\b(?:from|values|set|where)\b.{0,80}["`]/i,
  ],
  ['a message of the database', /SQLITE_|SqliteError|LibsqlError|PostgresError|DrizzleQueryError|syntax error at/],
]
const ENGINE =
  /Unexpected (?:token|end of|non-whitespace|string|number)[^"]{0,40}|Cannot read propert\w+ of|is not (?:a function|iterable|valid JSON)|(?:Type|Range|Syntax|Reference)Error\b|\bERR_[A-Z_]+|Maximum call stack/

// Documents and pages of the API itself are allowed to contain paths: they are compared with no secrets.
function leaks({ text }: Seen): string[] {
  return LEAKS.filter(([, pattern]) => pattern.test(text)).map(
    ([what, pattern]) => `it shows ${what}: ${pattern.exec(text)?.[0].trim()}`,
  )
}

function costFaults({ cpu, yardstick, memory, polluted }: Cost, mostCpu: number): string[] {
  const faults: string[] = []
  if (cpu >= mostCpu * Math.max(1, yardstick / YARDSTICK)) faults.push(`cost: ${cpu.toFixed(0)} ms of CPU`)
  if (memory >= MOST_MEMORY) faults.push(`cost: ${memory.toFixed(1)} MB of memory`)
  if (polluted.length > 0) faults.push(`every object now has ${polluted.join(', ')}`)
  return faults
}
