// The plugin `drift`: checks a share of all responses, and reports each violation once.
import {
  type ApplicationOptions,
  form,
  type IncomingRequest,
  memoize,
  type OutgoingResponse,
  type Plugin,
  type ResolvedAction,
  readEnvironment,
  reportFlaws,
  type ViolationFinding,
} from '../../extend.ts'

/** A violation in responses of an action. */
export interface DriftFinding extends ViolationFinding {
  /** The endpoint and the action, such as `Books.show`. */
  readonly action: string
  readonly status: number
  /** The number of occurrences among the checked responses. */
  readonly count: number
  /** The id of the request in which it occurred first. */
  readonly requestId: string
}

/** The options of `drift`. */
export interface DriftOptions {
  /**
   * The share of responses to check, above 0 and up to 1. If `validateResponses` is `'always'`, all are checked.
   * @default 0.01
   */
  readonly sample?: number
  /**
   * Receives a finding the first time, the 10th, the 100th and so on.
   * @default a warning in the log
   */
  readonly report?: (finding: DriftFinding) => void
  /**
   * The maximum number of distinct findings; further ones are only counted.
   * @default 1000
   */
  readonly findings?: number
}

/** The plugin and its findings. */
export interface Drift extends Plugin {
  /** Returns the stored findings, the most frequent first. */
  findings(): readonly DriftFinding[]
  /** Returns the number of all occurrences, stored or not. */
  total(): number
}

const FIELDS: form.Fields<DriftOptions> = {
  sample: form.custom('a number above 0 and up to 1', (value) => typeof value === 'number' && value > 0 && value <= 1),
  report: form.callable,
  findings: form.integerFrom(1),
}

/** Counts and reports responses that break their declaration, without changing them. */
export function drift(options: DriftOptions = {}): Drift {
  const { value, flaws } = form.accept<DriftOptions>(options, FIELDS)
  const { sample = 0.01 } = value
  const log = new FindingLog(value)
  let [due, share] = [1, sample]
  return {
    name: 'drift',
    checkOptions: (report) => reportFlaws('drift', flaws, report),
    apply(application) {
      log.logger ??= application.logger
      if (isStrict(application)) share = 1
      return isStrict(application) ? application : { ...application, validateResponses: sample }
    },
    violation: ({ part, pointer, code, message, status }, { action, id }) =>
      log.add({ part, pointer, code, message, status, action, requestId: id }),
    // Plugins and recorded responses may have statuses that were not validated when the response was rendered.
    response(response, request) {
      due += share
      if (due < 1) return
      due -= 1
      const undeclared = findUndeclaredStatus(response, request)
      if (undeclared !== undefined) log.add(undeclared)
    },
    findings: () => log.list(),
    total: () => log.total,
  }
}

const isStrict = ({ validateResponses, environment = readEnvironment() }: ApplicationOptions): boolean =>
  validateResponses === 'always' || (validateResponses === undefined && environment !== 'production')

type NewFinding = Omit<DriftFinding, 'count'>

function findUndeclaredStatus({ status }: OutgoingResponse, request: IncomingRequest): NewFinding | undefined {
  const { declaration, action, id } = request
  if (declaration === undefined || action === undefined || getDeclaredStatuses(declaration).has(status))
    return undefined
  // Every action may fail, and documents include that.
  if (status >= 400) return undefined
  const message = `has the status ${status}, which is not declared`
  return { part: 'response', pointer: '', code: 'undeclared', message, status, action, requestId: id }
}

const getDeclaredStatuses = memoize((action: ResolvedAction): ReadonlySet<number> => {
  const policyResponses = [...action.policies.values()].flatMap(({ responses = [] }) => responses)
  return new Set([...action.responses.values(), ...policyResponses].map(({ status }) => status))
})

/** The distinct violations: by action, status, part, pointer and code. */
class FindingLog {
  total = 0
  logger: ApplicationOptions['logger']
  readonly #maxFindings: number
  readonly #report: (finding: DriftFinding) => void
  readonly #byKey = new Map<string, NewFinding & { count: number }>()

  constructor({ findings = 1000, report }: DriftOptions) {
    this.#maxFindings = findings
    this.#report = report ?? ((finding) => this.#logFinding(finding))
  }

  add(finding: NewFinding): void {
    this.total++
    // Elements of a list violate the same rule at the same pointer.
    const pointer = finding.pointer.replace(/\/\d+(?=\/|$)/g, '/*')
    const key = JSON.stringify([finding.action, finding.status, finding.part, pointer, finding.code])
    let known = this.#byKey.get(key)
    if (known === undefined) {
      if (this.#byKey.size >= this.#maxFindings) return
      known = { ...finding, pointer, count: 0 }
      this.#byKey.set(key, known)
    }
    known.count++
    if (Number.isInteger(Math.log10(known.count))) this.#reportSafely({ ...known })
  }

  list(): readonly DriftFinding[] {
    return [...this.#byKey.values()].map((one) => ({ ...one })).sort((a, b) => b.count - a.count)
  }

  #reportSafely(finding: DriftFinding): void {
    try {
      this.#report(finding)
    } catch (err) {
      this.logger?.error({ err, plugin: 'drift' }, 'A finding could not be reported')
    }
  }

  #logFinding(finding: DriftFinding): void {
    const logger = this.logger ?? CONSOLE
    logger.warn(finding, 'Responses break their declaration')
  }
}

const CONSOLE = { warn: (fields: object, message: string) => console.warn(message, fields) }
