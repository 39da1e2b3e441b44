// Reports responses that violate their declaration: to plugins with the hook, otherwise to the log.
import type { PolicyRequest } from '../../design/declare/policy.ts'
import type { Plugin } from '../application-options.ts'
import type { Logger } from '../logger.ts'
import type { Exchange } from '../request/exchange.ts'
import { getRedactedView } from '../request/policy-view.ts'
import type { ResponseViolation, ViolationFinding } from '../response/violation.ts'

type ViolationListener = Plugin & Required<Pick<Plugin, 'violation'>>

/** Creates the function that reports a violation to plugins; undefined if none has the hook. */
export function createViolationNotifier(
  plugins: readonly Plugin[],
  logger: Logger,
): ((violation: ResponseViolation, request: PolicyRequest) => void) | undefined {
  const listeners = plugins.filter((one): one is ViolationListener => one.violation !== undefined)
  if (listeners.length === 0) return undefined
  return (violation, request) => {
    for (const plugin of listeners) {
      try {
        plugin.violation(violation, request)
      } catch (err) {
        // A plugin that fails must not prevent the response.
        const { id: requestId, action } = request
        logger.error({ err, plugin: plugin.name, hook: 'violation', requestId, action }, 'A plugin failed')
      }
    }
  }
}

/** Reports the violations of the current response to plugins; returns false if none has the hook. */
export function notifyViolations(
  exchange: Exchange,
  findings: readonly ViolationFinding[],
  outcome: 'sent' | 'failed',
): boolean {
  const { notifyViolation } = exchange.services
  if (notifyViolation === undefined) return false
  const { name: response, status } = exchange.response
  for (const finding of findings)
    notifyViolation({ ...finding, response, status, failed: outcome === 'failed' }, getRedactedView(exchange))
  return true
}

/** Reports violations of a response that is sent anyway: to plugins, otherwise to the log. */
export function reportViolation(exchange: Exchange, text: string, findings: readonly ViolationFinding[]): void {
  const { services, compiled, request } = exchange
  if (!notifyViolations(exchange, findings, 'sent'))
    services.logger.error({ action: compiled.actionName, requestId: request.id }, text)
}
