// How a pass fails: its result is what it makes, or an object that has nothing but a fault. Values are refused by issues.

/** The result of a failed step; F is the reason. */
export interface Failed<out F> {
  readonly fault: F
}

/** Returns whether a step failed. */
export const isFailed = <T extends object, F>(result: T | Failed<F>): result is Failed<F> => 'fault' in result
