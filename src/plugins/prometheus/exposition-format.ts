// Formats metric families as text: in the Prometheus format (0.0.4) and in OpenMetrics (1.0.0).

/** A sample of a metric. */
export interface MetricSample {
  /** The suffix of the family's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** The samples of one metric. The name of a counter has no `_total` suffix. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly MetricSample[]
}

/** The formats with their content types. */
export const CONTENT_TYPES = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const

/** The name of a format. */
export type MetricFormat = keyof typeof CONTENT_TYPES

/** Formats families, without the end of the page. */
export const formatFamilies = (families: readonly MetricFamily[], format: MetricFormat): string =>
  families.map((family) => formatFamily(family, format)).join('')

/** The last line of a page. */
export const PAGE_END: Readonly<Record<MetricFormat, string>> = { text: '', openmetrics: '# EOF\n' }

function formatFamily({ name, type, help, samples }: MetricFamily, format: MetricFormat): string {
  const open = format === 'openmetrics'
  // Only OpenMetrics distinguishes the name of a counter from that of its samples.
  const total = type === 'counter' ? '_total' : ''
  const family = open ? name : name + total
  const lines = [`# HELP ${family} ${escapeHelp(help, open)}`, `# TYPE ${family} ${type}`]
  for (const { suffix = total, labels = {}, value } of samples)
    lines.push(`${name}${suffix}${formatLabels(labels, open)} ${formatNumber(value)}`)
  return `${lines.join('\n')}\n`
}

function formatLabels(labels: Readonly<Record<string, string>>, open: boolean): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const canonical = open && name === 'le' && /^\d+$/.test(value) ? `${value}.0` : value
    return `${name}="${escapeLabel(canonical)}"`
  })
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const escapeLabel = (text: string): string => text.replace(/[\\"\n]/g, (sign) => ESCAPES[sign] as string)
// The Prometheus format does not escape quotes in descriptions.
const escapeHelp = (text: string, open: boolean): string =>
  open ? escapeLabel(text) : text.replace(/[\\\n]/g, (sign) => ESCAPES[sign] as string)

/** Negotiates the format by `Accept`; the Prometheus format is the default. */
export function negotiateFormat(accept: string): MetricFormat {
  let [text, openmetrics] = [0, 0]
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...params] = range.split(';').map((part) => part.trim())
    const settings = new Map(params.map((param) => param.split('=', 2) as [string, string]))
    const weight = Number(settings.get('q') ?? 1)
    const version = settings.get('version') ?? '1.0.0'
    if (type === 'application/openmetrics-text' && version === '1.0.0') openmetrics = Math.max(openmetrics, weight)
    else if (type === 'text/plain' || type === '*/*' || type === 'text/*') text = Math.max(text, weight)
  }
  return openmetrics > 0 && openmetrics >= text ? 'openmetrics' : 'text'
}
