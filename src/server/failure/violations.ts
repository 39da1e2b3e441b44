// Responses that break their declaration: reported to plugins with the hook, or else to the log.
import type { PolicyRequest } from '../../design/declare/policy.ts'
import type { ResponseViolation, ViolationFinding } from '../response/violation.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Logger } from '../logger.ts'
import type { Plugin } from '../application-options.ts'
import { getRedactedView } from '../request/policy-view.ts'

type ViolationListener = Plugin & Required<Pick<Plugin, 'violation'>>

/** Makes the function that tells plugins of one violation; undefined when none listens. */
export function createViolationNotifier(
  plugins: readonly Plugin[],
  logger: Logger,
): ((violation: ResponseViolation, request: PolicyRequest) => void) | undefined {
  const listening = plugins.filter((one): one is ViolationListener => one.violation !== undefined)
  if (listening.length === 0) return undefined
  return (violation, request) => {
    for (const plugin of listening) {
      try {
        plugin.violation(violation, request)
      } catch (err) {
        // A plugin that counts must not cost a client its answer.
        const { id: requestId, action } = request
        logger.error({ err, plugin: plugin.name, hook: 'violation', requestId, action }, 'A plugin failed')
      }
    }
  }
}

/** Reports the violations of the current response to plugins; false if none listens. */
export function notifyViolations(exchange: Exchange, findings: readonly ViolationFinding[], failed: boolean): boolean {
  const { notifyViolation: tellViolation } = exchange.services
  if (tellViolation === undefined) return false
  const { name: response, status } = exchange.response
  for (const finding of findings) tellViolation({ ...finding, response, status, failed }, getRedactedView(exchange))
  return true
}

/** Reports what is wrong with an answer that is sent all the same: to plugins, or else to the log. */
export function reportViolation(exchange: Exchange, text: string, findings: readonly ViolationFinding[]): void {
  const { services, compiled, request } = exchange
  if (!notifyViolations(exchange, findings, false))
    services.logger.error({ action: compiled.actionName, requestId: request.id }, text)
}
