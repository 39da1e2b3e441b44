// The public entry `edict/mock`: an API served from declarations alone.
export { type MockOptions, type MockSource, mock } from './mock.ts'
