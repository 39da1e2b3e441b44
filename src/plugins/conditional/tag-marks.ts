// What follows the version in tags: an application knows all that its actions may write.
import type { ApplicationOptions } from '../../extend.ts'
import { formatAudienceMark } from './request-conditions.ts'
import type { TagMarks } from './entity-tags.ts'

/** The marks in tags of an application. A tag that one action has written comes back to another, so all of them count. */
export function collectTagMarks(application: ApplicationOptions): TagMarks {
  const known = marksByApplication.get(application)
  if (known !== undefined) return known
  const { controllers, plugins = [] } = application
  const actions = controllers.flatMap(({ definition }) => [...definition.resolve().actions.values()])
  const sizes = actions.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ status, bodies }) => (status < 300 && bodies.length > 1 ? [bodies.length] : [])),
  )
  const audiences = plugins.flatMap((plugin) => Object.keys(plugin.audiences ?? {})).map(formatAudienceMark)
  const made = { forms: Math.max(0, ...sizes), audiences: new Set(audiences), coded: true }
  marksByApplication.set(application, made)
  return made
}

const marksByApplication = new WeakMap<object, TagMarks>()
