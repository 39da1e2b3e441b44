// Lists of the example API: every malformed order, page, cursor, filter and selection of fields.
import { group, type Row } from '../../case.ts'
import { get } from '../../requests.ts'
import { filters, filtersThatFit } from './filter-texts.ts'
import { fields, orders, pages, STATEMENTS } from './list-texts.ts'

const asked = (name: string, text: string): string => get(`/api/v1.0/blogs?${name}=${encodeURIComponent(text)}`)
const shown = (text: string): string => {
  const printable = JSON.stringify(text).replace(/[^ -~]/gu, (sign) => `U+${sign.codePointAt(0)?.toString(16)}`)
  return text.length > 50 ? `${printable.slice(0, 24)}… of ${text.length} characters` : printable
}
const rowsOf = (name: string, texts: readonly string[], allow: Row[2]): Row[] =>
  texts.map((text): Row => [`The parameter ${name} as ${shown(text)}`, asked(name, text), allow])

const rows: Row[] = [
  ...rowsOf('pagination', pages, [400]),
  ...rowsOf('order', orders, [400]),
  ...rowsOf('filters', filters, [400]),
  ...rowsOf('filters', filtersThatFit, [200, 400]),
  ...rowsOf('fields', fields, [400]),
  ...['filters', 'order', 'pagination', 'fields'].flatMap((name): Row[] => [
    [`The parameter ${name} twice`, get(`/api/v1.0/blogs?${name}=a&${name}=b`), 400],
    [`The parameter ${name} as a list`, get(`/api/v1.0/blogs?${name}[]=a`), 400],
    [`The parameter ${name} as a structure`, get(`/api/v1.0/blogs?${name}[a]=b`), 400],
    [`The parameter ${name} with the prototype`, get(`/api/v1.0/blogs?${name}[__proto__]=b`), 400],
    ...STATEMENTS.slice(0, 6).map(
      (text): Row => [`The parameter ${name} as the statement ${text}`, asked(name, text), [200, 400]],
    ),
  ]),
  ['A page far beyond the end', asked('pagination', 'page=9007199254740,items=100'), [200, 400]],
  ['The last page that a number can name', asked('pagination', 'page=9007199254740991,items=100'), [200, 400]],
  ['A cursor at an empty text', asked('pagination', 'by=title,from='), [200, 400]],
  ['A cursor at a number that is too small', asked('pagination', 'by=rating,from=-1e308'), [200, 400]],
  ['An order of every field at once', asked('order', '-id,handle,-title,rating,-created_at,owner.name'), [200]],
]

/** Lists. */
export const lists = group('LST', 'lists of the example', rows, { app: 'blog', ours: true })
