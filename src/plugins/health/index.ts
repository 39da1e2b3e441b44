// The entry point `edict/health`: liveness and readiness for load balancers and schedulers.
export { type HealthCheck, type HealthCheckOptions, storeCheck } from './health-check.ts'
export { type HealthOptions, health } from './plugin.ts'
