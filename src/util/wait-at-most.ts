// Waits for work within a time limit.

/** Resolves or rejects as `work` does, or with the result of `onTimeout` if that takes longer. */
export function waitAtMost<T>(
  milliseconds: number,
  work: PromiseLike<T>,
  onTimeout: () => T | PromiseLike<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(onTimeout()), milliseconds)
    Promise.resolve(work)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  })
}
