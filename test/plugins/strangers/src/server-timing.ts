// The time of each step of an action, in the header Server-Timing.
import type { Plugin } from 'edict'

const STEPS = Symbol('server-timing')

/** Tells clients how long each step took. */
export const serverTiming = (): Plugin => ({
  name: 'server-timing',
  step(name, { state }) {
    const began = performance.now()
    return () => {
      const steps = (state[STEPS] ?? []) as string[]
      state[STEPS] = [...steps, `${name.replace(/[^\w-]+/g, '-')};dur=${(performance.now() - began).toFixed(1)}`]
    }
  },
  response(response, { state }) {
    for (const step of (state[STEPS] ?? []) as string[]) response.append('Server-Timing', step)
  },
})
