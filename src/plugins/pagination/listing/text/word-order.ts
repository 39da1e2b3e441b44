// Orders in words, as in AIP-132 and SQL: `title, year desc`.
import type { OrderSyntax } from '../../ordering-config.ts'

/** The syntax with `asc` or `desc` after a field. */
export const wordOrderSyntax: OrderSyntax = {
  read(part) {
    const [field, direction = 'asc', ...more] = part.trim().split(/\s+/)
    const isTerm = field !== undefined && field !== '' && more.length === 0 && /^(?:asc|desc)$/i.test(direction)
    // OData separates the names of a path by slashes.
    return isTerm ? { field: field.replaceAll('/', '.'), descending: direction.toLowerCase() === 'desc' } : undefined
  },
  write: ({ field, descending }) => (descending ? `${field} desc` : field),
  pattern: '^[^,]+(,[^,]+)*$',
  text: 'The order of the list: comma-separated fields, `desc` after one for descending.',
  form: 'comma-separated fields, each with optional asc or desc',
}
