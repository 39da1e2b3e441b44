// Runs steps side by side: as many at a time as there are lanes, and none before those that it needs.

/** A step, and the names of the steps that must have ended before it begins. */
export interface Waiting {
  readonly name: string
  readonly needs?: readonly string[]
}

/** Runs every step once; the earlier ones of the list first, where they can. Gives the results in the order of the list. */
export async function inLanes<S extends Waiting, R>(
  steps: readonly S[],
  lanes: number,
  run: (step: S) => Promise<R>,
): Promise<R[]> {
  const results = new Map<string, R>()
  const waiting = [...steps]
  const running = new Map<string, Promise<void>>()
  const isReady = ({ needs = [] }: S): boolean =>
    needs.every((name) => results.has(name) || !steps.some((one) => one.name === name))
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < lanes ? waiting.findIndex(isReady) : -1
    if (next === -1) {
      if (running.size === 0)
        throw new Error(`These steps need each other: ${waiting.map(({ name }) => name).join(', ')}`)
      await Promise.race(running.values())
      continue
    }
    const [step] = waiting.splice(next, 1) as [S]
    const ended = run(step).then((result) => {
      results.set(step.name, result)
      running.delete(step.name)
    })
    running.set(step.name, ended)
  }
  return steps.map(({ name }) => results.get(name) as R)
}
