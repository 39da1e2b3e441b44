// The entry point `edict/prometheus`: metrics for Prometheus.
export { type MetricsPage, type PoolUse, type PrometheusOptions, prometheus, type Registry } from './plugin.ts'
