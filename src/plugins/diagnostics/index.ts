// The entry point `edict/diagnostics`: events of requests on channels of `node:diagnostics_channel`.
export { diagnostics, type RequestEndMessage, type RequestStartMessage } from './plugin.ts'
