// Queries: bracket bombs, names of built-in properties, names sent twice, and pairs that are none.
import { group, type Row } from '../../case.ts'
import { get } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

const search = (query: string): string => get(`/search?${query}`)

/** Complains when a forged property shows up in what the action got. */
export function unforged({ answers: [answer] }: Seen): string | undefined {
  if (answer?.status !== 200) return undefined
  const seen = JSON.parse(answer.body.toString()) as Record<string, unknown>
  const shown = typeof seen === 'object' && seen !== null && 'polluted' in seen
  return shown ? 'the action sees a forged property' : undefined
}

const refused: readonly (readonly [string, string])[] = [
  ['a[b][c][d][e][f][g][h][i][j]=1', 'A name of ten steps'],
  [`a${'[b]'.repeat(3000)}=1`, 'A name of three thousand steps'],
  [`a${'['.repeat(5000)}=1`, 'Five thousand opening brackets'],
  [`a${']'.repeat(5000)}=1`, 'Five thousand closing brackets'],
  [`a${'[]'.repeat(3000)}=1`, 'Three thousand empty brackets'],
  [`tags${'[]'.repeat(3000)}=1`, 'Three thousand empty brackets behind a declared list'],
  ['author[id=1', 'A bracket that is not closed'],
  ['author]id[=1', 'Brackets the wrong way round'],
  ['author[id]x=1', 'Text behind the brackets'],
  ['[id]=1', 'Brackets without a name'],
  ['[]=1', 'Empty brackets without a name'],
  ['author[[id]]=1', 'Brackets within brackets'],
  ['author[id][]=1', 'A list in the place of a number'],
  ['author[0]=1', 'An index in the place of a name'],
  ['tags[99999999]=a', 'An index far beyond the end'],
  ['tags[-1]=a', 'A negative index'],
  ['tags[length]=99999999', 'The length of a list'],
  ['tags[a]=b', 'A name in the place of an index'],
  ['tags[0][b]=c', 'A structure in a list of texts'],
  ['labels[a][b]=1', 'A structure in a hash of numbers'],
  ['labels=1', 'A value in the place of a hash'],
  ['author=1&author[id]=2', 'A value and then a structure'],
  ['author[id]=1&author=2', 'A structure and then a value'],
  ['author[id]=1&author[id]=2', 'A nested name twice'],
  ['name=a&name=b', 'A text twice'],
  ['count=1&count=1', 'A number twice, with the same value'],
  ['count[]=1&count[]=2', 'A number as a list'],
  ['count[a]=1', 'A number as a structure'],
  ['name[toString]=1', 'A text with a method of texts'],
  ['name[length]=99', 'A text with a length of its own'],
  ['Name=a', 'A name in another case'],
  ['name%20=a', 'A space behind a name'],
  ['%20name=a', 'A space before a name'],
  ['name.first=a', 'A name with a dot'],
  ['author.id=1', 'A dot in the place of brackets'],
  ['=a', 'A value without a name'],
  ['unknown', 'An unknown name without a value'],
]

const forged: readonly (readonly [string, string])[] = [
  ['__proto__=1', 'The prototype as a parameter'],
  ['__proto__[polluted]=1', 'A property of the prototype'],
  ['__proto__.polluted=1', 'A property of the prototype, with a dot'],
  ['constructor[prototype][polluted]=1', 'A property of the prototype by way of the constructor'],
  ['constructor=1', 'The constructor as a parameter'],
  ['prototype[polluted]=1', 'The prototype of a function'],
  ['toString=1', 'A method of every object'],
  ['hasOwnProperty=1', 'The method that asks for properties'],
  ['valueOf[polluted]=1', 'A property of a method'],
  ['__defineGetter__=1', 'A method that defines properties'],
  ['author[__proto__][polluted]=1', 'The prototype of a declared structure'],
  ['author[id]=1&author[__proto__][polluted]=1', 'The prototype beside a declared name'],
  ['author[constructor][prototype][polluted]=1', 'The constructor of a declared structure'],
  ['labels[__proto__]=1', 'The prototype as a name of a hash'],
  ['labels[__proto__][polluted]=1', 'A property of the prototype of a hash'],
  ['labels[constructor]=1', 'The constructor as a name of a hash'],
  ['labels[prototype]=1', 'The prototype of functions as a name of a hash'],
  ['tags[__proto__]=a', 'The prototype of a list'],
  ['tags[__proto__][polluted]=1', 'A property of the prototype of a list'],
  ['tags[constructor][prototype][polluted]=1', 'The constructor of a list'],
  ['%5F%5Fproto%5F%5F[polluted]=1', 'The prototype, escaped'],
  ['__proto__%5Bpolluted%5D=1', 'A property of the prototype with escaped brackets'],
  ['__pro__proto__to__[polluted]=1', 'The prototype, as a careless filter would make it'],
]

const rows: Row[] = [
  ...refused.map(([query, says]): Row => [says, search(query), 400]),
  ...forged.map(([query, says]): Row => [says, search(query), 400, { safe: unforged }]),
  ['A list of one', search('tags=a'), 200],
  ['A hash with a name of a method', search('labels[toString]=1'), [200, 400]],
  ['A parameter without a value', search('name'), 200],
  ['Semicolons in the place of ampersands', search('name=a;count=1x'), [200, 400]],
  ['Ampersands without end', search('&&&&name=a&&&&'), 200],
  ['A value with equals signs', search('name=a=b=c'), 200],
  ['Empty nested names', search('author[]=1'), 400],
  ['A name that is only escaped spaces', search('+++=1'), 400],
]

/** Queries. */
export const queries = group('QRY', 'queries', rows)
