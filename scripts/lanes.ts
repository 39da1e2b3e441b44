// Runs steps in parallel: as many at a time as there are lanes, and each after the steps it needs.

/** A step, and the names of the steps that must end before it begins. */
export interface Waiting {
  readonly name: string
  readonly needs?: readonly string[]
}

/** Runs every step once, earlier ones first where possible; returns the results in the order of the list. */
export async function runInLanes<S extends Waiting, R>(
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
