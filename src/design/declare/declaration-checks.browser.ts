// Replaces `declaration-checks.ts` in front ends: their server has checked the declarations.
import type * as server from './declaration-checks.ts'

export const readMediaType: typeof server.readMediaType = (name, spec) => ({
  name: name as string,
  ...(spec as Omit<server.MediaDeclaration, 'name'>),
})

export const failOnView: typeof server.failOnView = ({ name }, view) => {
  throw new TypeError(`${name} has no view '${view}'`)
}

export const checkCollection: typeof server.checkCollection = () => undefined

export const checkEvents: typeof server.checkEvents = () => undefined
