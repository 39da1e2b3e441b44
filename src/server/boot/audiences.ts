// Validates restricted attributes: a plugin must test membership, and no shared cache may store their responses.

import { createReporter, type DefinitionMistake, type Report } from '../../design/mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { collectActionAudiences } from '../../design/visibility.ts'
import { findRestriction } from '../../schema/structures/restrictions.ts'
import type { Plugin } from '../application-options.ts'
import { collectAudienceTests } from '../steps/visibility.ts'

/** Reports mistakes in the attributes of an endpoint that only some clients see. */
export function checkAudiences(
  { name, actions }: ResolvedEndpoint,
  plugins: readonly Plugin[],
  mistakes: DefinitionMistake[],
): void {
  for (const action of actions.values()) {
    const audiences = collectActionAudiences(action)
    if (audiences.length === 0) continue
    const report = createReporter(mistakes, name, action.name)
    const known = collectAudienceTests(plugins)
    for (const one of audiences)
      if (!known.has(one))
        report(
          'visibleTo',
          `nothing decides who belongs to the audience '${one}'`,
          "add visibility([members(…)]) of edict/visibility to the application's plugins",
        )
    checkIndivisible(action, report)
    checkCaches(action, report)
  }
}

// A body or a path segment cannot be omitted for some clients only.
function checkIndivisible({ payload, responses, routes, params }: ResolvedAction, report: Report): void {
  const remedy = 'restrict its attributes, or the action by its security'
  if (payload !== undefined && findRestriction(payload.attribute) !== undefined)
    report('payload', 'only some clients see it', remedy)
  for (const [name, { bodies }] of responses)
    if (bodies.some(({ attribute }) => attribute !== undefined && findRestriction(attribute) !== undefined))
      report(`responses.${name}`, 'only some clients see its body', remedy)
  for (const name of new Set(routes.flatMap(({ pattern }) => pattern.names))) {
    const param = Object.hasOwn(params, name) ? params[name] : undefined
    if (param !== undefined && findRestriction(param) !== undefined)
      report(`params.${name}`, 'only some clients see it, and it is in the path', 'declare it separately')
  }
}

function checkCaches({ policies }: ResolvedAction, report: Report): void {
  for (const { name, responseHeaders = [], successHeaders = [] } of policies.values()) {
    const values = [...responseHeaders, ...successHeaders].filter((_, i, all) => all[i - 1] === 'Cache-Control')
    if (!values.some((value) => /\b(?:public|s-maxage)\b/.test(value))) continue
    const problem = 'shared caches may store its responses, and some clients see more than others'
    report(`policies.${name}`, problem, 'make them private, or remove the policy')
  }
}
