// What follows the version in tags: an application knows all that its actions may write.
import type { ApplicationOptions } from '../../extend.ts'
import { audienceMark } from './conditions.ts'
import type { Marks } from './tags.ts'

/** The marks in tags of an application. A tag that one action has written comes back to another, so all of them count. */
export function marksOf(application: ApplicationOptions): Marks {
  const known = kept.get(application)
  if (known !== undefined) return known
  const { controllers, plugins = [] } = application
  const actions = controllers.flatMap(({ definition }) => [...definition.resolve().actions.values()])
  const sizes = actions.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ status, bodies }) => (status < 300 && bodies.length > 1 ? [bodies.length] : [])),
  )
  const audiences = plugins.flatMap((plugin) => Object.keys(plugin.audiences ?? {})).map(audienceMark)
  const made = { forms: Math.max(0, ...sizes), audiences: new Set(audiences), coded: true }
  kept.set(application, made)
  return made
}

const kept = new WeakMap<object, Marks>()
