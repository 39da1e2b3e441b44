// The public entry `edict/sessions`: who a browser belongs to, in a cookie.
export { type Sessions, type SessionsOptions, sessions } from './plugin.ts'
export { type SessionControl, type SessionOptions, type SessionScheme, session } from './session.ts'
