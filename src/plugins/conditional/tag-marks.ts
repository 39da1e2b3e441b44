// Collects the suffixes that may follow the version in the tags of an application.
import { type ApplicationOptions, memoize } from '../../extend.ts'
import type { TagMarks } from './entity-tags.ts'
import { formatAudienceMark } from './request-conditions.ts'

/** Returns the suffixes of an application's tags, of all actions, because a tag of one action may be sent to another. */
export const collectTagMarks: (application: ApplicationOptions) => TagMarks = memoize((application) => {
  const { controllers, plugins = [] } = application
  const actions = controllers.flatMap(({ definition }) => [...definition.resolve().actions.values()])
  const sizes = actions.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ status, bodies }) => (status < 300 && bodies.length > 1 ? [bodies.length] : [])),
  )
  const audiences = plugins.flatMap((plugin) => Object.keys(plugin.audiences ?? {})).map(formatAudienceMark)
  return { maxRepresentations: Math.max(0, ...sizes), audiences: new Set(audiences), hasCodings: true }
})
