// The public entry `edict/mock`: an API served from declarations alone.
export { describeMock, type MockOptions, type MockSource, mock } from './mock.ts'
export type { MockNote } from './notes.ts'
