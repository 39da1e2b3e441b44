// Exact numbers as a separate module: a bundler creates an object for a module exported as a namespace, and front ends
// do not need one.
export * from '../util/decimal.ts'
