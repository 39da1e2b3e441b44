// The public entry `edict/mock`: an API served from declarations alone.
export { type MockSource, type MockOptions, mock } from './mock.ts'
