// The entry point `edict/drift`: answers that break their declaration, counted and reported.
export { type Drift, type DriftFinding, type DriftOptions, drift } from './plugin.ts'
