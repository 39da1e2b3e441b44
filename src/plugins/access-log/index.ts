// The entry point edict/access-log: one structured line for each response, without secrets.
export { type AccessLogOptions, accessLog, type LineLogger, type LoggedRequest } from './plugin.ts'
