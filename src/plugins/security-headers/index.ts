// The entry point `edict/security-headers`: headers that scanners expect of an API.
export { type SecurityHeaders, securityHeaders } from './plugin.ts'
