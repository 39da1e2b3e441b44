// The public entry `edict/sessions`: the session of a browser, in a cookie.
export { type Sessions, type SessionsOptions, sessions } from './plugin.ts'
export { type SessionControl, type SessionOptions, type SessionScheme, session } from './session.ts'
