// Orders with colons, as Elasticsearch has them: `title,year:desc`, or as a structure, `[{ "year": "desc" }]`.
import type { OrderSyntax } from '../../ordering-config.ts'

/** The syntax with `:asc` or `:desc` after a field. */
export const colonOrderSyntax: OrderSyntax = {
  read(part) {
    const [field = '', direction = 'asc', ...more] = part.split(':')
    const isTerm = field !== '' && more.length === 0 && (direction === 'asc' || direction === 'desc')
    return isTerm ? { field, descending: direction === 'desc' } : undefined
  },
  write: ({ field, descending }) => (descending ? `${field}:desc` : field),
  toText: (value) => (Array.isArray(value) ? value : [value]).map(toTermText).join(','),
  pattern: '^[^,:]+(:(asc|desc))?(,[^,:]+(:(asc|desc))?)*$',
  text: 'The order of the list: comma-separated fields, `:desc` after one for descending.',
  form: 'comma-separated fields, each with optional :asc or :desc',
}

/** Returns the text of a term; an empty one, which is no term, for anything else. */
function toTermText(term: unknown): string {
  if (typeof term === 'string') return term
  const [entry, ...more] = typeof term === 'object' && term !== null ? Object.entries(term) : []
  if (entry === undefined || more.length > 0) return ''
  const [field, setting] = entry
  const direction = typeof setting === 'object' && setting !== null ? (setting as { order?: unknown }).order : setting
  return typeof direction === 'string' ? `${field}:${direction}` : ''
}
