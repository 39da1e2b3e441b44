// The entry point `edict/opentelemetry`: spans and metrics of requests and of database statements.
export { type OpenTelemetryOptions, opentelemetry } from './plugin.ts'
