// The entry point `edict/drift`: counts and reports responses that break their declaration.
export { type Drift, type DriftFinding, type DriftOptions, drift } from './plugin.ts'
