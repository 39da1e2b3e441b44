// Checks an application against its declarations: runs laws in rounds and shrinks each failing case.
import type { Application } from '../application.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import {
  CheckError,
  type CheckFault,
  type CheckReport,
  createFault,
  type Unreached,
  type Untested,
} from './check/check-error.ts'
import { drawCall } from './check/draw-call.ts'
import { describeUnreached, SkipLog } from './check/gaps.ts'
import type { Law } from './check/law.ts'
import { type CheckedApplication, Subject } from './check/subject.ts'
import { laws } from './laws/laws.ts'
import { findCheckedList } from './lists/checked-list.ts'
import { type CheckOptions, type ResolvedCheckOptions, resolveCheckOptions } from './session/check-options.ts'
import { isLawViolation, isSkipCase, type LawViolation } from './session/law-errors.ts'
import { getActionName } from './session/test-call.ts'
import type { TestExchange } from './session/test-session.ts'
import { Draw } from './values/draw.ts'

/**
 * Checks an application against its declarations, in process: sends valid requests, near misses and sequences of requests,
 * and checks the responses against laws. Throws a `CheckError` that lists the shortest requests for each fault. When `app`
 * is a function, each smaller case starts with a fresh application.
 */
export async function checkApplication(
  app: Application | (() => Application | Promise<Application>),
  options: CheckOptions = {},
): Promise<CheckReport> {
  const resolved = resolveCheckOptions(options)
  const createApp = typeof app === 'function' ? app : undefined
  const subject = await Subject.create(createApp === undefined ? (app as Application) : await createApp(), resolved)
  return new CheckRun(subject, resolved, createApp).run()
}

/** The number of rounds that read lists before the laws run: nested lists need elements of their parents. */
const EXPLORE_ROUNDS = 8

/** The maximum number of attempts to shrink a failing case. */
const MAX_SHRINK_ATTEMPTS = 80

class CheckRun {
  readonly #subject: Subject
  readonly #options: ResolvedCheckOptions
  readonly #createApp: (() => CheckedApplication | Promise<CheckedApplication>) | undefined
  readonly #faults: CheckFault[] = []
  readonly #caseCounts: Record<string, number> = {}
  readonly #skips = new SkipLog()
  readonly #startedAt = performance.now()

  constructor(
    subject: Subject,
    options: ResolvedCheckOptions,
    createApp: (() => CheckedApplication | Promise<CheckedApplication>) | undefined,
  ) {
    this.#subject = subject
    this.#options = options
    this.#createApp = createApp
  }

  async run(): Promise<CheckReport> {
    await this.#exploreLists()
    for (let round = 0; round < this.#options.runs && !this.#isFinished(); round++) await this.#runRound(round)
    this.#subject.statements.stop()
    const report = this.#buildReport()
    if (this.#faults.length > 0) throw new CheckError(this.#faults, report)
    return report
  }

  #isFinished(): boolean {
    const { faults, time, requests } = this.#options
    return (
      this.#faults.length >= faults || this.#subject.requests >= requests || performance.now() - this.#startedAt > time
    )
  }

  // Lists reveal the existing elements; several rounds let the lists of parents fill before those of children.
  async #exploreLists(): Promise<void> {
    const lists = this.#subject.actions.filter((action) => findCheckedList(this.#subject, action) !== undefined)
    const requested = new Set<string>()
    for (let round = 0; round < EXPLORE_ROUNDS; round++)
      for (const [i, action] of lists.entries())
        for (const principal of this.#subject.principals.keys()) {
          const draw = Draw.forPurpose(this.#options.seed, `look/${round}/${i}/${principal}`)
          const call = drawCall(this.#subject, action, draw, { principal, bare: true })
          const key = JSON.stringify([i, principal, call?.params], (_, one) =>
            typeof one === 'bigint' ? `${one}` : one,
          )
          if (call === undefined || requested.has(key)) continue
          requested.add(key)
          await this.#subject.createSession().sendUnchecked(call).catch(ignoreSkipCase)
        }
  }

  async #runRound(round: number): Promise<void> {
    for (const law of laws)
      for (const action of this.#subject.actions)
        for (let again = 0; again < (law.casesPerRound ?? 1); again++) {
          if (this.#isFinished()) return
          if (this.#options.isEnabled(law.name, getActionName(action)) && !this.#hasFault(law, action))
            await this.#tryLaw(law, action, again === 0 ? `${round}` : `${round}.${again}`)
        }
  }

  #hasFault(law: Law, action: ResolvedAction): boolean {
    return this.#faults.some((fault) => fault.law === law.name && fault.action === getActionName(action))
  }

  async #tryLaw(law: Law, action: ResolvedAction, round: string): Promise<void> {
    const name = getActionName(action)
    const draw = Draw.forPurpose(this.#options.seed, `${round}/${law.name}/${name}/${action.endpoint.version ?? ''}`)
    const one = law.drawCase(this.#subject, action, draw)
    if (one === undefined) return
    const tried = await this.#runCase(law, one, this.#subject)
    if (tried === undefined) return
    this.#caseCounts[law.name] = (this.#caseCounts[law.name] ?? 0) + 1
    if (tried.violation === undefined) return
    const { violation, exchanges } = await this.#shrinkCase(law, one, {
      violation: tried.violation,
      exchanges: tried.exchanges,
    })
    const fault = await createFault(law, name, violation, exchanges)
    if (!this.#isDuplicate(fault)) this.#faults.push(fault)
  }

  // Several laws may find the same wrong response.
  #isDuplicate({ law, problem, requests }: CheckFault): boolean {
    const last = requests.at(-1)?.action
    return this.#faults.some(
      (known) => known.problem === problem && (known.law === law || known.requests.at(-1)?.action === last),
    )
  }

  /** Runs a case; returns undefined when the case is skipped. */
  async #runCase(law: Law, one: unknown, subject: Subject): Promise<CaseAttempt | undefined> {
    const session = subject.createSession()
    try {
      await law.run(one, session, subject)
      return { violation: undefined, exchanges: session.exchanges }
    } catch (error) {
      if (isLawViolation(error)) return { violation: error, exchanges: session.exchanges }
      if (!isSkipCase(error)) throw error
      if (subject === this.#subject) this.#skips.add(law, (error as Error).message)
      return undefined
    }
  }

  async #shrinkCase(law: Law, first: unknown, found: FailedAttempt): Promise<FailedAttempt> {
    let [one, best] = [first, found]
    // A fault that depends on earlier requests does not repeat on a fresh application: report it as found.
    if (this.#createApp !== undefined && (await this.#rerunCase(law, one, found.violation.kind)) === undefined)
      return found
    for (let tries = 0, smaller = true; smaller && tries < MAX_SHRINK_ATTEMPTS; ) {
      smaller = false
      for (const candidate of law.shrink(one, this.#subject)) {
        if (++tries > MAX_SHRINK_ATTEMPTS) break
        const failed = await this.#rerunCase(law, candidate, found.violation.kind)
        if (failed === undefined) continue
        ;[one, best, smaller] = [candidate, failed, true]
        break
      }
    }
    return best
  }

  async #rerunCase(law: Law, one: unknown, kind: string): Promise<FailedAttempt | undefined> {
    const subject =
      this.#createApp === undefined
        ? this.#subject
        : await Subject.create(await this.#createApp(), this.#options, this.#subject)
    const tried = await this.#runCase(law, one, subject)
    if (subject !== this.#subject) subject.statements.stop()
    return tried?.violation?.kind === kind ? { violation: tried.violation, exchanges: tried.exchanges } : undefined
  }

  #listUnreached(): Unreached[] {
    const documented = this.#subject.actions.filter(({ nodoc, endpoint }) => !nodoc && !endpoint.nodoc)
    return documented
      .filter((action) => !this.#subject.reached.has(getActionName(action)))
      .map((action) => describeUnreached(this.#subject, action, laws))
  }

  // Laws and actions that the options leave out are not reported.
  #listUntested(): Untested[] {
    const { actions } = this.#subject
    return laws
      .filter(({ name }) => this.#caseCounts[name] === undefined)
      .filter(({ name }) => actions.some((action) => this.#options.isEnabled(name, getActionName(action))))
      .map((law) => this.#skips.describe(law))
  }

  #buildReport(): CheckReport {
    return {
      seed: this.#options.seed,
      requests: this.#subject.requests,
      limited: this.#subject.limited,
      cases: this.#caseCounts,
      untested: this.#listUntested(),
      unreached: this.#listUnreached(),
      time: Math.round(performance.now() - this.#startedAt),
    }
  }
}

interface CaseAttempt {
  readonly violation: LawViolation | undefined
  readonly exchanges: readonly TestExchange[]
}

interface FailedAttempt extends CaseAttempt {
  readonly violation: LawViolation
}

function ignoreSkipCase(error: unknown): void {
  if (!isSkipCase(error)) throw error
}
