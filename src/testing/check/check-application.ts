// Checks an application by its declarations: laws are tried in rounds, and cases that fail are made as small as they can be.
import type { Application } from '../../application.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Law } from '../laws/law.ts'
import { laws } from '../laws/laws.ts'
import { listedBy } from '../lists/listed.ts'
import { Draw } from '../values/draw.ts'
import { type Broken, isBroken, isVoid } from './broken.ts'
import { nameOf } from './call.ts'
import { drawCall } from './draw-call.ts'
import { CheckError, type CheckReport, type Fault, faultOf } from './finding.ts'
import { type CheckOptions, type Settled, settledOptions } from './options.ts'
import type { Exchange } from './session.ts'
import { type Checked, Subject } from './subject.ts'

/**
 * Checks an application by its declarations, in process: it sends valid requests, near misses, and sequences of requests, and
 * holds the answers to laws. Throws a CheckError that tells the shortest requests for each fault. A function that makes the
 * application lets every smaller case begin with a fresh one.
 */
export async function checkApplication(
  app: Application | (() => Application | Promise<Application>),
  options: CheckOptions = {},
): Promise<CheckReport> {
  const settled = settledOptions(options)
  const fresh = typeof app === 'function' ? app : undefined
  const check = new Check(fresh === undefined ? (app as Application) : await fresh(), settled, fresh)
  return check.run()
}

/** How often lists are looked at before the laws are tried: those below others need elements above them. */
const LOOKS = 8

/** How often a case is tried again to make it smaller. */
const MOST_TRIES = 80

class Check {
  readonly #subject: Subject
  readonly #options: Settled
  readonly #fresh: (() => Checked | Promise<Checked>) | undefined
  readonly #faults: Fault[] = []
  readonly #cases: Record<string, number> = {}
  readonly #began = performance.now()

  constructor(app: Checked, options: Settled, fresh: (() => Checked | Promise<Checked>) | undefined) {
    this.#subject = new Subject(app, options)
    this.#options = options
    this.#fresh = fresh
  }

  async run(): Promise<CheckReport> {
    await this.#look()
    for (let round = 0; round < this.#options.runs && !this.#isOver(); round++) await this.#round(round)
    const report = this.#report()
    if (this.#faults.length > 0) throw new CheckError(this.#faults, report)
    return report
  }

  #isOver(): boolean {
    return this.#faults.length >= this.#options.faults || performance.now() - this.#began > this.#options.time
  }

  // Lists tell which elements there are; those of parents come before those of children.
  async #look(): Promise<void> {
    const lists = this.#subject.actions.filter((action) => listedBy(this.#subject, action) !== undefined)
    const asked = new Set<string>()
    for (let round = 0; round < LOOKS; round++)
      for (const [i, action] of lists.entries())
        for (const principal of this.#subject.principals.keys()) {
          const draw = Draw.of(this.#options.seed, `look/${round}/${i}/${principal}`)
          const call = drawCall(this.#subject, action, draw, { principal, bare: true })
          const key = JSON.stringify([i, principal, call?.params], (_, one) =>
            typeof one === 'bigint' ? `${one}` : one,
          )
          if (call === undefined || asked.has(key)) continue
          asked.add(key)
          await this.#subject.session().plain(call).catch(onlyVoid)
        }
  }

  async #round(round: number): Promise<void> {
    for (const law of laws)
      for (const action of this.#subject.actions)
        for (let again = 0; again < (law.times ?? 1); again++) {
          if (this.#isOver()) return
          if (this.#options.wants(law.name, nameOf(action)) && !this.#isFound(law, action))
            await this.#try(law, action, again === 0 ? `${round}` : `${round}.${again}`)
        }
  }

  #isFound(law: Law, action: ResolvedAction): boolean {
    return this.#faults.some((fault) => fault.law === law.name && fault.action === nameOf(action))
  }

  async #try(law: Law, action: ResolvedAction, round: string): Promise<void> {
    const name = nameOf(action)
    const draw = Draw.of(this.#options.seed, `${round}/${law.name}/${name}/${action.endpoint.version ?? ''}`)
    const one = law.draw(this.#subject, action, draw)
    if (one === undefined) return
    const tried = await this.#attempt(law, one, this.#subject)
    if (tried === undefined) return
    this.#cases[law.name] = (this.#cases[law.name] ?? 0) + 1
    if (tried.broken === undefined) return
    const { broken, exchanges } = await this.#shrunk(law, one, { broken: tried.broken, exchanges: tried.exchanges })
    const fault = await faultOf(law, name, broken, exchanges)
    if (!this.#isKnown(fault)) this.#faults.push(fault)
  }

  // Several laws may come upon the same wrong answer.
  #isKnown({ law, problem, requests }: Fault): boolean {
    const last = requests.at(-1)?.action
    return this.#faults.some(
      (known) => known.problem === problem && (known.law === law || known.requests.at(-1)?.action === last),
    )
  }

  /** Tries a case; undefined when it says nothing. */
  async #attempt(law: Law, one: unknown, subject: Subject): Promise<Attempt | undefined> {
    const session = subject.session()
    try {
      await law.run(one, session, subject)
      return { broken: undefined, exchanges: session.exchanges }
    } catch (error) {
      if (isBroken(error)) return { broken: error, exchanges: session.exchanges }
      if (isVoid(error)) return undefined
      throw error
    }
  }

  async #shrunk(law: Law, first: unknown, found: Failed): Promise<Failed> {
    let [one, best] = [first, found]
    // A fault that needs what happened before is told as it was found.
    if (this.#fresh !== undefined && (await this.#again(law, one, found.broken.kind)) === undefined) return found
    for (let tries = 0, smaller = true; smaller && tries < MOST_TRIES; ) {
      smaller = false
      for (const candidate of law.smaller(one, this.#subject)) {
        if (++tries > MOST_TRIES) break
        const failed = await this.#again(law, candidate, found.broken.kind)
        if (failed === undefined) continue
        ;[one, best, smaller] = [candidate, failed, true]
        break
      }
    }
    return best
  }

  async #again(law: Law, one: unknown, kind: string): Promise<Failed | undefined> {
    const subject =
      this.#fresh === undefined ? this.#subject : new Subject(await this.#fresh(), this.#options, this.#subject)
    const tried = await this.#attempt(law, one, subject)
    return tried?.broken?.kind === kind ? { broken: tried.broken, exchanges: tried.exchanges } : undefined
  }

  #unreached(): string[] {
    const documented = this.#subject.actions.filter(({ nodoc, endpoint }) => !nodoc && !endpoint.nodoc)
    return documented.map(nameOf).filter((name) => !this.#subject.reached.has(name))
  }

  #report(): CheckReport {
    return {
      seed: this.#options.seed,
      requests: this.#subject.requests,
      limited: this.#subject.limited,
      cases: this.#cases,
      unreached: this.#unreached(),
      time: Math.round(performance.now() - this.#began),
    }
  }
}

interface Attempt {
  readonly broken: Broken | undefined
  readonly exchanges: readonly Exchange[]
}

interface Failed extends Attempt {
  readonly broken: Broken
}

function onlyVoid(error: unknown): void {
  if (!isVoid(error)) throw error
}
