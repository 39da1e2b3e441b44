// Bodies of forms: application/x-www-form-urlencoded.
import { group, type Row } from '../../case.ts'
import { form } from '../../requests.ts'
import { unforged } from '../http/queries.ts'

const refused: readonly (readonly [string, string])[] = [
  ['', 'An empty form'],
  ['&&&', 'A form of ampersands'],
  ['=', 'An equals sign'],
  ['name', 'A name without a value beside nothing else'],
  ['name=a&name=b', 'A text twice'],
  ['name=%', 'A lone percent sign'],
  ['name=%zz', 'An invalid escape'],
  ['name=%ff', 'An escape that is no UTF-8'],
  ['name=\xff', 'Raw bytes that are no UTF-8'],
  ['name=%00', 'NUL'],
  ['name=a&count=x', 'A number that is none'],
  ['name=a&author=1', 'A value in the place of a structure'],
  ['name=a&author[id]=1&author[id]=2', 'A nested name twice'],
  ['name=a&author[id', 'A bracket that is not closed'],
  [`name=a&a${'[b]'.repeat(5000)}=1`, 'A name of five thousand steps'],
  [`name=a&${'['.repeat(50_000)}=1`, 'Fifty thousand brackets'],
  [`name=a&tags${'[]'.repeat(10_000)}=1`, 'Ten thousand empty brackets'],
  [`name=a&${'tags[]=a&'.repeat(10_000)}`, 'A list of ten thousand'],
  [`name=a&${'x=1&'.repeat(60_000)}`, 'Sixty thousand times the same unknown name'],
  ['name=a&tags[100000000]=x', 'An index far beyond the end'],
  ['name=a&x=1', 'An unknown name'],
  ['{"name":"a"}', 'JSON that says that it is a form'],
  ['\ufeffname=a'.replace('\ufeff', '\xef\xbb\xbf\xef\xbb\xbf'), 'Two byte order marks'],
  [`name=${'%41'.repeat(80_000)}`, 'Eighty thousand escapes'],
  [`name=${'+'.repeat(250_000)}`, 'A quarter of a million plus signs'],
]

const forged: readonly (readonly [string, string])[] = [
  ['name=a&__proto__=1', 'The prototype'],
  ['name=a&__proto__[polluted]=1', 'A property of the prototype'],
  ['name=a&constructor[prototype][polluted]=1', 'The prototype by way of the constructor'],
  ['name=a&author[id]=1&author[__proto__][polluted]=1', 'The prototype of a structure'],
  ['name=a&labels[__proto__]=1', 'The prototype as a name of a hash'],
  ['name=a&labels[constructor][prototype][polluted]=1', 'The constructor as a name of a hash'],
  ['name=a&tags[__proto__][polluted]=1', 'The prototype of a list'],
  ['__proto__[name]=a', 'A required attribute by way of the prototype'],
  ['name=a&%5f%5fproto%5f%5f%5bpolluted%5d=1', 'The prototype, escaped'],
]

const rows: Row[] = [
  ...refused.map(
    ([text, says]): Row => [says, form('/things', text), says.startsWith('A name without') ? [200, 400] : 400],
  ),
  ...forged.map(([text, says]): Row => [says, form('/things', text), 400, { safe: unforged }]),
  ['A form with a semicolon between its fields', form('/things', 'name=a;count=1'), [200, 400]],
  ['A form with ends of lines in it', form('/things', 'name=a\r\n&count=1\r\n'), 400],
  ['A form for an action that takes any JSON', form('/any', 'a=b'), [400, 415]],
]

/** Forms. */
export const forms = group('FRM', 'forms', rows)
