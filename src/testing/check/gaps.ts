// The gaps of a check: laws without a case, and actions that no request reached, each with the reason and the remedy.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { getActionName } from '../session/test-call.ts'
import type { Unreached, Untested } from './check-error.ts'
import type { Law } from './law.ts'
import type { Subject } from './subject.ts'

/** Records why cases of laws proved nothing. */
export class SkipLog {
  readonly #reasons = new Map<Law, Map<string, number>>()

  /** Adds a case that proved nothing. */
  add(law: Law, reason: string): void {
    const reasons = this.#reasons.get(law) ?? new Map<string, number>()
    this.#reasons.set(law, reasons.set(reason, (reasons.get(reason) ?? 0) + 1))
  }

  /** Describes a law without a case that proved anything. */
  describe(law: Law): Untested {
    const reasons = this.#reasons.get(law)
    const reason =
      reasons === undefined ? `it needs ${law.needs}` : `every case proved nothing: ${formatCounts(reasons)}`
    return { law: law.name, reason, remedy: law.remedy }
  }
}

const formatCounts = (counts: ReadonlyMap<unknown, number>): string =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([one, count]) => `${one} (${count}x)`)
    .join(', ')

/** Describes an action that no request reached. */
export function describeUnreached(subject: Subject, action: ResolvedAction, laws: readonly Law[]): Unreached {
  const statuses = subject.statuses.get(action)
  const name = getActionName(action)
  const common = { action: name }
  if (!laws.some((law) => subject.options.isEnabled(law.name, name)))
    return { ...common, reason: 'the options leave it out', remedy: 'change `only` or `except`' }
  if (statuses === undefined)
    return {
      ...common,
      reason: 'no request could be made of its declaration',
      remedy: 'give attributes without an example an `example`, and params `known` values',
    }
  const [status] = [...statuses].sort((a, b) => b[1] - a[1])[0] as [number, number]
  return {
    ...common,
    reason: `the responses were ${formatCounts(statuses)}`,
    remedy: findRemedy(subject, action, status),
  }
}

function findRemedy(subject: Subject, action: ResolvedAction, status: number): string {
  const names = action.routes[0]?.pattern.names ?? []
  if (status === 401 || status === 403) return 'set `principals` to the credentials of clients that may call it'
  if (status === 429 || status === 503) return 'raise the limits of the application in the test'
  if (status === 404 && names.length > 0)
    return `fill lists that show ${names.join(' and ')}, or set \`known\` to existing values: { ${names.map((name) => `${name}: [\u2026]`).join(', ')} }`
  if (status === subject.validationStatus || status === 422)
    return 'declare the rule that refuses the values, or give the attributes an `example`'
  return 'begin the check with an application whose state allows it'
}
