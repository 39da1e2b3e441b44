// The failure of a step: its result is the output, or an object that contains only a fault. Invalid values are reported
// as issues instead.

/** The result of a failed step; F is the reason. */
export interface Failed<out F> {
  readonly fault: F
}

/** Returns whether a step failed. */
export const isFailed = <T extends object, F>(result: T | Failed<F>): result is Failed<F> => 'fault' in result
