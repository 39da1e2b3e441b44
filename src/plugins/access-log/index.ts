// The entry point `edict/access-log`: one structured line for each answer, without secrets.
export { type AccessLogOptions, accessLog, type LineLogger, type LoggedRequest } from './plugin.ts'
