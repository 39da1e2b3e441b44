// The entry point `edict/prometheus`: a page of measurements for Prometheus.
export { type MetricsPage, type PoolUse, type PrometheusOptions, prometheus, type Registry } from './plugin.ts'
