// The syntax of filters: precedence, values, and the positions of mistakes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INVALID } from '../../../schema/issue.ts'
import { Loading } from '../../../schema/loading.ts'
import type { FilterExpression } from './expression.ts'
import {
  DEFAULT_MAX_VALUES,
  escapeFilterName,
  escapeFilterValue,
  type FilterReader,
  MAX_FILTER_LENGTH,
  parseFilter,
} from './filter-parser.ts'

// Echoes the parsed conditions, so that only the syntax is tested.
const echo: FilterReader = {
  maxLength: MAX_FILTER_LENGTH,
  maxValues: () => DEFAULT_MAX_VALUES,
  toExpression: ({ field, op, values }): FilterExpression => ({ op: '=', field, any: [{ value: [op, values] }] }),
  mayQuantify: () => true,
}

function parse(text: string): unknown {
  const loading = new Loading('text')
  const expression = parseFilter(text, loading, echo)
  return expression === INVALID ? loading.issues : simplify(expression)
}

function simplify(expression: FilterExpression): unknown {
  if ('of' in expression) return [expression.op, ...expression.of.map(simplify)]
  if ('where' in expression) return [expression.op, expression.field, simplify(expression.where)]
  const [op, values] = ((expression as { any: readonly { value: unknown }[] }).any[0]?.value ?? []) as [string, any[]]
  const texts = values.map(({ text, before, after }) => `${before ? '<any>' : ''}${text}${after ? '<any>' : ''}`)
  return `${expression.field} ${[op, ...texts].join(' ')}`.trimEnd()
}

function getMistake(text: string): string {
  const issues = parse(text)
  if (!Array.isArray(issues) || issues.length !== 1) throw new Error(`one mistake expected: ${JSON.stringify(issues)}`)
  return `${issues[0].code}: ${issues[0].message}`
}

describe('[LST-06] conditions on one element, and searches', () => {
  it('stand in parentheses behind a list, and behind an operator of their own', () => {
    expect(parse('posts.any(likes>5&title=a)')).toEqual(['any', 'posts', ['and', 'likes > 5', 'title = a']])
    expect(parse('a=1|b.c.none(d.all(e!|f~=x,y))&g!!')).toEqual([
      'or',
      'a = 1',
      ['and', ['none', 'b.c', ['all', 'd', ['or', 'e !', 'f ~= x y']]], 'g !!'],
    ])
    expect(parse('a~=x&b!~=y&c@=z w&d~e=1&f=~@')).toEqual(['and', 'a ~= x', 'b !~= y', 'c @= z w', 'd~e = 1', 'f = ~@'])
    expect(getMistake('posts(a=1)')).toContain('expected an operator')
    expect(getMistake('posts.any(a=1')).toContain('expected &, | or )')
    expect(getMistake('posts.any()')).toContain('expected a field or (')
  })
})

describe('conditions', () => {
  it.each([
    ['a=1', 'a = 1'],
    ['a!=1', 'a != 1'],
    ['a<1', 'a < 1'],
    ['a<=1', 'a <= 1'],
    ['a>1', 'a > 1'],
    ['a>=1', 'a >= 1'],
    ['a!', 'a !'],
    ['a!!', 'a !!'],
    ['a.b.c=1', 'a.b.c = 1'],
    ['a=1,2,3', 'a = 1 2 3'],
    ['a!=1,2', 'a != 1 2'],
    ['a=', 'a ='],
    ['a=,', 'a ='],
    ['a= x y ', 'a =  x y'],
    [' a=1', ' a = 1'],
    ['a=%26%7C%28%29%2A%3D%21%3C%3E%2C%25', 'a = &|()*=!<>,%'],
    ['a=%E2%9C%93', 'a = ✓'],
    ['a=%2526', 'a = %26'],
    ['%61%3D=1', 'a= = 1'],
    ['a=x*', 'a = x<any>'],
    ['a=*x', 'a = <any>x'],
    ['a=*x*', 'a = <any>x<any>'],
    ['a=*', 'a = <any><any>'],
    ['a=**', 'a = <any><any>'],
    ['a=%2A*', 'a = *<any>'],
    ['a="x\'y;--', 'a = "x\'y;--'],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected)
  })
})

describe('joined conditions', () => {
  it.each([
    ['a!&b!', ['and', 'a !', 'b !']],
    ['a!|b!|c!', ['or', 'a !', 'b !', 'c !']],
    ['a!&b!|c!', ['or', ['and', 'a !', 'b !'], 'c !']],
    ['a!|b!&c!', ['or', 'a !', ['and', 'b !', 'c !']]],
    ['(a!|b!)&c!', ['and', ['or', 'a !', 'b !'], 'c !']],
    ['a!&(b!|c!)', ['and', 'a !', ['or', 'b !', 'c !']]],
    ['(a!&b!)&c!', ['and', ['and', 'a !', 'b !'], 'c !']],
    ['((a!))', 'a !'],
    ['a=1,2&b=3', ['and', 'a = 1 2', 'b = 3']],
    ['a!!&b!=1', ['and', 'a !!', 'b != 1']],
    ['a=&b=', ['and', 'a =', 'b =']],
    [
      'title=foo*&(kind=personal,company|author.id>=3)&bio!',
      ['and', 'title = foo<any>', ['or', 'kind = personal company', 'author.id >= 3'], 'bio !'],
    ],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected)
  })
})

describe('mistakes', () => {
  const FIELD = 'a field or ('
  const OPERATOR = 'an operator'
  it.each([
    ['', `filter-syntax: has unexpected end at character 1; expected ${FIELD}`],
    ['=1', `filter-syntax: has unexpected '=' at character 1; expected ${FIELD}`],
    ['&a!', `filter-syntax: has unexpected '&' at character 1; expected ${FIELD}`],
    ['a!&', `filter-syntax: has unexpected end at character 4; expected ${FIELD}`],
    ['a!||b!', `filter-syntax: has unexpected '|' at character 4; expected ${FIELD}`],
    ['()', `filter-syntax: has unexpected ')' at character 2; expected ${FIELD}`],
    ['!a', `filter-syntax: has unexpected '!' at character 1; expected ${FIELD}`],
    ['a', `filter-syntax: has unexpected end at character 2; expected ${OPERATOR}`],
    ['a&b!', `filter-syntax: has unexpected '&' at character 2; expected ${OPERATOR}`],
    ['a*=1', `filter-syntax: has unexpected '*' at character 2; expected ${OPERATOR}`],
    ['a!1', `filter-syntax: has unexpected '1' at character 3; expected &, | or the end`],
    ['a!!!', `filter-syntax: has unexpected '!' at character 4; expected &, | or the end`],
    ['a!,b!', `filter-syntax: has unexpected ',' at character 3; expected &, | or the end`],
    ['a!)', `filter-syntax: has unexpected ')' at character 3; expected &, | or the end`],
    ['a=1&b!)', `filter-syntax: has unexpected ')' at character 7; expected &, | or the end`],
    ['a=1&=', `filter-syntax: has unexpected '=' at character 5; expected ${FIELD}`],
    ['(a!', `filter-syntax: has unexpected end at character 4; expected &, | or )`],
    ['(a!)(b!)', `filter-syntax: has unexpected '(' at character 5; expected &, | or the end`],
    ['(a=1)😀', `filter-syntax: has unexpected '😀' at character 6; expected &, | or the end`],
    ['a==1', `filter-syntax: has unexpected '=' at character 3; expected &, | or the end; write %3D in a value`],
    ['a=f(x)', `filter-syntax: has unexpected '(' at character 4; expected &, | or the end; write %28 in a value`],
    ['a=x)', `filter-syntax: has unexpected ')' at character 4; expected &, | or the end; write %29 in a value`],
    ['(a=😀!', `filter-syntax: has unexpected '!' at character 5; expected &, | or ); write %21 in a value`],
    ['a=%', 'encoding: is not valid percent-encoded UTF-8'],
    ['a=%zz', 'encoding: is not valid percent-encoded UTF-8'],
    ['a=%C0%80', 'encoding: is not valid percent-encoded UTF-8'],
    ['a=%ED%A0%80', 'encoding: is not valid percent-encoded UTF-8'],
    ['%ff!', 'encoding: is not valid percent-encoded UTF-8'],
    ['a=x*y', 'filter-wildcard: must not have * inside a value; write %2A instead'],
    ['a=***', 'filter-wildcard: must not have * inside a value; write %2A instead'],
    ['a<1,2', 'filter-list: must have one value after <'],
    ['a>=1,', 'filter-list: must have one value after >='],
  ])('%s', (text, expected) => {
    expect(getMistake(text)).toBe(expected)
  })
})

describe('limits', () => {
  const times = (text: string, count: number, separator: string): string =>
    Array.from({ length: count }, () => text).join(separator)

  it.each([
    ['characters', `a=${'x'.repeat(4094)}`, `a=${'x'.repeat(4095)}`, 'max-length: must have at most 4096 characters'],
    [
      'levels',
      `${'('.repeat(8)}a!${')'.repeat(8)}`,
      `${'('.repeat(9)}a!${')'.repeat(9)}`,
      'depth: is nested deeper than 8 levels',
    ],
    ['conditions', times('a!', 100, '&'), times('a!', 101, '|'), 'filter-conditions: must have at most 100 conditions'],
    [
      'values',
      `a=${times('1', 100, ',')}`,
      `a=${times('1', 101, ',')}`,
      'filter-values: must have at most 100 values in a list',
    ],
  ])('of %s', (_, most, more, expected) => {
    expect(Array.isArray(parse(most)) && (parse(most) as any[])[0]?.code).toBeFalsy()
    expect(getMistake(more)).toBe(expected)
  })

  it('counts levels that are open, not parentheses', () => {
    expect(parse(times('(a!)', 50, '&'))).toHaveLength(51)
  })

  it('refuses a great depth like any other', () => {
    expect(getMistake('('.repeat(4096))).toBe('depth: is nested deeper than 8 levels')
  })
})

describe('any text', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...'ab.%2A,&|()*=!<>0 ~@', '.any('), maxLength: 40 })

  it('is read or refused with one reason, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        const loading = new Loading('text')
        const expression = parseFilter(text, loading, echo)
        expect(loading.issues?.length ?? 0).toBe(expression === INVALID ? 1 : 0)
      }),
      { numRuns: 2000 },
    )
  })

  it('stays itself as an escaped name and value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const expression = parseFilter(
          `${escapeFilterName(text)}=${escapeFilterValue(text)}`,
          new Loading('text'),
          echo,
        )
        expect(expression).toEqual({
          op: '=',
          field: text,
          any: [{ value: ['=', [{ text, before: false, after: false }]] }],
        })
      }),
    )
  })
})
