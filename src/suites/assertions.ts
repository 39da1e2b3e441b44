// Compares and waits, for the suites of stores and carriers.

/** Throws if two plain values are not equal. */
export function assertEqual(what: string, actual: unknown, expected: unknown): void {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (actualJson !== expectedJson) throw new Error(`${what}\nexpected: ${expectedJson}\nactual:   ${actualJson}`)
}

/** Waits until a condition is true; the timeout of the test runner ends the wait otherwise. */
export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(10)
}

/** Waits for a time. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
