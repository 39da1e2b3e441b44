import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadAttributeValue } from '../../../test/support/load-value.ts'
import type { Issue } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { t } from '../../schema/t.ts'
import { parseQuery, QUERY_LIMITS } from './parse-query.ts'
import { createTree, groupByLength, type RawTree, TreeWriter } from './value-tree.ts'

interface Read {
  readonly tree: RawTree
  readonly complete: boolean
  readonly issues: readonly Pick<Issue, 'pointer' | 'code'>[]
}

function createWriter(tree: RawTree, names: readonly string[], loading = new Loading('text')): TreeWriter {
  return new TreeWriter(
    tree,
    { names: groupByLength(names), depth: QUERY_LIMITS.depth, lists: undefined, hasJsonTexts: false },
    loading,
  )
}

function read(query: string, names: readonly string[] = [], ignores?: (name: string) => boolean): Read {
  const loading = new Loading('text', ignores)
  const tree = createTree()
  const complete = parseQuery(query, 0, createWriter(tree, names, loading))
  return { tree, complete, issues: (loading.issues ?? []).map(({ pointer, code }) => ({ pointer, code })) }
}

/** Returns the tree of a valid query. */
function parseTree(query: string, names?: readonly string[]): RawTree {
  const { tree, complete, issues } = read(query, names)
  expect({ complete, issues }).toEqual({ complete: true, issues: [] })
  return tree
}

const params = t.object({
  page: t.integer(),
  q: t.string(),
  tags: t.array(t.string()),
  author: t.object({ id: t.integer({ required: true }), name: t.string() }),
  items: t.array(t.object({ id: t.integer() })),
})

/** Returns the params that a query loads into, by the declarations above. */
function loaded(query: string): unknown {
  const result = loadAttributeValue(params, parseTree(query, Object.keys(params.core.children)), { source: 'text' })
  return 'value' in result ? result.value : result
}

describe('syntax', () => {
  it.each([
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a&b=', { a: '', b: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['', {}],
    ['&&a=1&&&b=2&', { a: '1', b: '2' }],
    ['a=[x]', { a: '[x]' }],
    ['a=1&A=2', { a: '1', A: '2' }],
    ['=1', { '': '1' }],
  ])('%s', (query, tree) => {
    expect(parseTree(query)).toEqual(tree)
    expect(parseTree(query, ['a', 'b', 'author'])).toEqual(tree)
  })

  it('reads from an offset, so that a URL need not be cut', () => {
    const tree = createTree()
    expect(parseQuery('/blogs?a=1&b=2', 7, createWriter(tree, ['a']))).toBe(true)
    expect(tree).toEqual({ a: '1', b: '2' })
  })

  it('reads nothing behind the end', () => {
    const tree = createTree()
    expect(parseQuery('/blogs?', 7, createWriter(tree, ['a']))).toBe(true)
    expect(tree).toEqual({})
  })

  it('reads every name as it stands, whatever names are declared', () => {
    // Some of these have the same lower bits, by which declared names are looked up.
    const name = fc.string({
      unit: fc.constantFrom('a', 'á', 'b', 'â', 'ab', '0', '1', '\u{1F600}'),
      minLength: 1,
      maxLength: 4,
    })
    const list = fc.uniqueArray(name, { maxLength: 30 })
    fc.assert(
      fc.property(list, list, (declared, others) => {
        const sent = [...new Set([...others, ...declared])]
        const query = sent.map((one, i) => `${one}=${i}`).join('&')
        expect(parseTree(query, declared)).toEqual(Object.fromEntries(sent.map((one, i) => [one, String(i)])))
      }),
    )
  })

  it('distinguishes declared names of one length and with one beginning', () => {
    const names = ['aa', 'ab', 'b', 'aba']
    expect(parseTree('ab=1&aa=2&aba=3&b=4&ac=5', names)).toEqual({ ab: '1', aa: '2', aba: '3', b: '4', ac: '5' })
  })
})

describe('decoding', () => {
  it.each([
    ['a=b+c', { a: 'b c' }],
    ['a=b%2Bc', { a: 'b+c' }],
    ['a=%C3%A9%F0%9F%98%80', { a: 'é😀' }],
    ['a+b=1', { 'a b': '1' }],
    ['%61=1', { a: '1' }],
    ['a%3D=1', { 'a=': '1' }],
    ['a=%26b%3D1', { a: '&b=1' }],
    ['author%5Bid%5D=7', { author: { id: '7' } }],
    ['author%5bid%5D=7', { author: { id: '7' } }],
    ['tags%5B%5D=x&tags%5B%5D=y', { tags: ['x', 'y'] }],
    ['a=%EF%BB%BFx', { a: '\ufeffx' }],
    [`a=%EF%BB%BF${'x'.repeat(200)}`, { a: `\ufeff${'x'.repeat(200)}` }],
  ])('%s', (query, tree) => {
    expect(parseTree(query)).toEqual(tree)
    expect(parseTree(query, ['a', 'author', 'tags'])).toEqual(tree)
  })

  it.each(['%', '%4', '%zz', '%C3', '%C3%28', '%ED%A0%80', '%F5%80%80%80', '%C0%AF', '%ff'])(
    'reports %s as an encoding that is not UTF-8',
    (text) => {
      for (const value of [text, `${'x'.repeat(2000)}${text}`, `${text}${'x'.repeat(2000)}`]) {
        const { tree, issues } = read(`a[b]=${value}&c=1`)
        expect(issues).toEqual([{ pointer: '/a/b', code: 'encoding' }])
        expect(tree).toEqual({ a: { b: value }, c: '1' })
      }
      expect(read(`n${text}=1`).issues).toEqual([{ pointer: `/n${text}`, code: 'encoding' }])
    },
  )

  it('decodes what encodeURIComponent and URLSearchParams encode, short and long', () => {
    const point = fc.oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
    const text = fc.array(point, { maxLength: 120 }).map((points) => String.fromCodePoint(...points))
    fc.assert(
      fc.property(text, (value) => {
        expect(parseTree(`a=${encodeURIComponent(value)}`)).toEqual({ a: value })
        expect(parseTree(new URLSearchParams({ a: value }).toString())).toEqual({ a: value })
      }),
    )
  })
})

describe('nesting', () => {
  it('[INP-03] nested params use brackets, also percent-encoded ones', () => {
    expect(loaded('author[id]=7&author[name]=Ann')).toEqual({ author: { id: 7, name: 'Ann' } })
    expect(loaded('author%5Bid%5D=7&author[name]=Ann')).toEqual({ author: { id: 7, name: 'Ann' } })
    expect(loaded('author[name]=Ann')).toMatchObject({ issues: [{ pointer: '/author/id', code: 'missing' }] })
    expect(loaded('author.id=7')).toMatchObject({ issues: [{ pointer: '/author.id', code: 'unknown' }] })
  })

  it('[INP-11] arrays come with brackets, repeated, as a single value or with indices', () => {
    expect(loaded('tags[]=a&tags[]=b')).toEqual({ tags: ['a', 'b'] })
    expect(loaded('tags=a&tags=b')).toEqual({ tags: ['a', 'b'] })
    expect(loaded('tags=a&tags[]=b&tags=c')).toEqual({ tags: ['a', 'b', 'c'] })
    expect(loaded('tags=a')).toEqual({ tags: ['a'] })
    expect(loaded('tags[]=a')).toEqual({ tags: ['a'] })
    expect(loaded('tags[0]=a&tags[1]=b')).toEqual({ tags: ['a', 'b'] })
    expect(loaded('items[1][id]=2&items[0][id]=1')).toEqual({ items: [{ id: 1 }, { id: 2 }] })
  })

  it('refuses a scalar that is sent twice, or as a list', () => {
    for (const query of ['page=1&page=2', 'page=1&page=1', 'page[]=1']) {
      expect(loaded(query)).toMatchObject({ issues: [{ pointer: '/page', code: 'repeated' }] })
    }
  })

  it('makes an object of index keys, whatever their order', () => {
    expect(parseTree('items[1][id]=2&items[0][id]=1')).toEqual({ items: { 0: { id: '1' }, 1: { id: '2' } } })
  })

  it('returns random trees that were written with brackets', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' ', '%', '&', '=', '+', '.', '0'), minLength: 1 })
    const { tree } = fc.letrec<{ tree: object; value: unknown }>((tie) => ({
      tree: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 4 }),
      value: fc.oneof(
        { depthSize: 'small', maxDepth: 6 },
        fc.string(),
        fc.array(fc.string(), { minLength: 1 }),
        tie('tree'),
      ),
    }))
    fc.assert(
      fc.property(tree, (wanted) => {
        const query = new URLSearchParams(listPairs(wanted)).toString()
        fc.pre(query.split('&').length <= QUERY_LIMITS.pairs)
        expect(parseTree(query, Object.keys(wanted))).toEqual(wanted)
        expect(parseTree(query.replaceAll('%5B', '[').replaceAll('%5D', ']'))).toEqual(wanted)
      }),
    )
  })
})

function listPairs(tree: object, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) => {
    const path = prefix === '' ? name : `${prefix}[${name}]`
    if (Array.isArray(value)) return value.map((one: string): [string, string] => [`${path}[]`, one])
    return typeof value === 'object' && value !== null ? listPairs(value, path) : [[path, String(value)]]
  })
}

describe('what has no location', () => {
  it.each([
    ['a=1&a[b]=2', { a: '1' }, '/a'],
    ['a[b]=2&a=1', { a: { b: '2' } }, '/a'],
    ['a[b]=2&a[]=1', { a: { b: '2' } }, '/a'],
    ['a[]=1&a[0]=2', { a: ['1'] }, '/a'],
    ['a[b]=1&a[b][c]=2', { a: { b: '1' } }, '/a/b'],
    ['a[b][c]=1&a[b]=2', { a: { b: { c: '1' } } }, '/a/b'],
    ['a[b/~][c]=1&a[b/~]=2', { a: { 'b/~': { c: '1' } } }, '/a/b~1~0'],
  ])('%s is both a value and a structure', (query, tree, pointer) => {
    expect(read(query)).toEqual({ tree, complete: true, issues: [{ pointer, code: 'mixed' }] })
  })

  it.each([
    'a[b',
    'a]b',
    'a[',
    'a]',
    '[a]',
    '[]',
    ']',
    'a[b]c',
    'a[b]]',
    'a[[b]]',
    'a[b][',
    'a[b]c[d]',
    'a[][]',
    'a[][]',
    'a][b',
  ])('%s is not a name', (name) => {
    for (const sent of [name, encodeURIComponent(name)]) {
      expect(read(`${sent}=1`)).toEqual({
        tree: {},
        complete: true,
        issues: [{ pointer: `/${name}`, code: 'unknown' }],
      })
    }
  })

  it('ends at eight levels', () => {
    const eight = 'a[b][c][d][e][f][g][h]'
    expect(parseTree(`${eight}=1`)).toEqual({ a: { b: { c: { d: { e: { f: { g: { h: '1' } } } } } } } })
    for (const name of [`${eight}[i]`, `${eight}[]`]) {
      expect(read(`${name}=1`)).toEqual({ tree: {}, complete: true, issues: [{ pointer: '/a', code: 'depth' }] })
    }
  })

  it('ignores everything about the names that are to be ignored', () => {
    const ignores = (name: string): boolean => name.startsWith('utm_')
    expect(read('utm_a=%zz&utm_b=1&utm_b[c]=2&utm_d[=1&a=%zz', [], ignores).issues).toEqual([
      { pointer: '/a', code: 'encoding' },
    ])
  })

  it('stops at the pair after the last one allowed', () => {
    const pairs = (count: number): string => Array.from({ length: count }, (_, i) => `p${i}=${i}`).join('&')
    expect(read(pairs(200)).complete).toBe(true)
    expect(Object.keys(read(pairs(200)).tree)).toHaveLength(200)
    expect(read(pairs(201)).complete).toBe(false)
    const { complete, tree } = read(pairs(100_000))
    expect({ complete, read: Object.keys(tree).length }).toEqual({ complete: false, read: 200 })
  })
})

describe('hostile names', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'])(
    '%s reaches no prototype',
    (name) => {
      for (const query of [
        `${name}=1`,
        `${name}[polluted]=1`,
        `${name}[${name}][polluted]=1`,
        `a[${name}][polluted]=1`,
      ]) {
        const { tree, issues } = read(query, ['a'])
        expect(issues).toEqual([])
        const holder = (query.startsWith('a[') ? tree['a'] : tree) as RawTree
        expect(Object.keys(holder)).toEqual([name])
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
        expect((() => {}) as unknown as Record<string, unknown>).not.toHaveProperty('polluted')
      }
    },
  )

  it('trees inherit nothing at all', () => {
    const { author } = parseTree('author[id]=7') as { author: RawTree }
    for (const tree of [createTree(), author]) {
      const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty'].filter((name) => name in tree)
      expect(inherited).toEqual([])
    }
    const prototype = Object.getPrototypeOf(author) as RawTree
    expect(() => {
      prototype['polluted'] = 1
    }).toThrow(TypeError)
  })

  it.each([
    ['ampersands', '&'.repeat(1_000_000)],
    ['open brackets', `a${'['.repeat(1_000_000)}=1`],
    ['pairs of brackets', `a${'[]'.repeat(500_000)}=1`],
    ['steps', `a${'[b]'.repeat(300_000)}=1`],
    ['one long name', `${'a'.repeat(1_000_000)}=1`],
    ['one long value', `a=${'%41'.repeat(330_000)}`],
    ['plus signs', `a=${'+'.repeat(1_000_000)}`],
    ['bad escapes', Array.from({ length: 200 }, (_, i) => `a${i}=${'%41'.repeat(1600)}%zz`).join('&')],
    ['equals signs', '='.repeat(1_000_000)],
    ['repeated mixtures', Array.from({ length: 200 }, () => `a=${'x'.repeat(4000)}&a[b]=1`).join('&')],
  ])('reads a megabyte of %s, where more than linear time would hang', (_, query) => {
    expect(read(query, ['a'])).toBeDefined()
  })
})

describe('lists of structures by repeated brackets', () => {
  it.each([
    ['a[][x]=1&a[][y]=2&a[][x]=3', { a: [{ x: '1', y: '2' }, { x: '3' }] }],
    ['a[][x]=1&a[][x]=2', { a: [{ x: '1' }, { x: '2' }] }],
    ['a[][x][y]=1&a[][x][z]=2&a[][x][y]=3', { a: [{ x: { y: '1', z: '2' } }, { x: { y: '3' } }] }],
    ['a[][x][]=1&a[][x][]=2&a[][y]=3', { a: [{ x: ['1', '2'], y: '3' }] }],
    ['a[][x][][y]=1&a[][x][][y]=2', { a: [{ x: [{ y: '1' }, { y: '2' }] }] }],
    ['a[b][][x]=1&a[b][][x]=2', { a: { b: [{ x: '1' }, { x: '2' }] } }],
    ['a%5B%5D%5Bx%5D=1', { a: [{ x: '1' }] }],
    ['a[][toString]=1&a[][toString]=2', { a: [{ toString: '1' }, { toString: '2' }] }],
    ['a[][__proto__]=1', { a: [JSON.parse('{"__proto__":"1"}')] }],
  ])('%s', (query, tree) => {
    expect(JSON.parse(JSON.stringify(parseTree(query)))).toEqual(tree)
  })

  it.each([
    ['a[0][x]=1&a[][x]=2', '/a', 'mixed'],
    ['a[][x]=1&a[0][x]=2', '/a', 'mixed'],
    ['a=1&a[][x]=2', '/a', 'mixed'],
    ['a[][x]=1&a[][x][y]=2', '/a', 'mixed'],
    ['a[][]=1', '/a[][]', 'unknown'],
    ['a[][][x]=1', '/a[][][x]', 'unknown'],
    ['a[][x]=%ff', '/a', 'encoding'],
    ['a[][b][][c][][d][][e]=1', '/a', 'depth'],
  ])('refuses %s', (query, pointer, code) => {
    expect(read(query).issues).toEqual([{ pointer, code }])
  })

  it('reads what the rules of Rack make of any pairs, whether it refuses them or not', () => {
    const step = fc.constantFrom('[]', '[x]', '[y]')
    const name = fc
      .tuple(fc.constantFrom('a', 'b'), fc.array(step, { maxLength: 5 }))
      .map(([first, steps]) => first + steps.join(''))
      .filter((one) => !one.includes('[][]'))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const pairs = names.map((one, i) => [one, String(i)] as const)
        const { tree, issues } = read(pairs.map(([one, value]) => `${one}=${value}`).join('&'))
        const expected = rack(pairs)
        if (expected === undefined) expect(issues).not.toEqual([])
        else if (issues.length === 0) expect(JSON.parse(JSON.stringify(tree))).toEqual(expected)
        // A name that is sent again with a value makes a list here, where Rack takes the last.
        else expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['mixed']))
      }),
      { numRuns: 2000 },
    )
  })
})

type Hash = { [name: string]: unknown }
const isHash = (value: unknown): value is Hash => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses nested pairs by Rack's rules, implemented from their description; undefined where it raises. */
function rack(pairs: readonly (readonly [string, string])[]): Hash | undefined {
  const root: Hash = {}
  return pairs.every(([name, value]) => enter(root, name, value)) ? root : undefined
}

function enter(hash: Hash, name: string, value: string): boolean {
  const open = name.indexOf('[', 1)
  const key = (open < 0 ? name : name.slice(0, open)).replace(/^\[|\]$/g, '')
  const after = open < 0 ? '' : name.slice(open)
  if (after === '') {
    // The one difference: a repeated value is kept in addition to the first.
    const old = hash[key]
    if (isHash(old)) return false
    hash[key] = old === undefined ? value : [...(Array.isArray(old) ? old : [old]), value]
    return true
  }
  if (!after.startsWith('[]')) {
    hash[key] ??= {}
    const below = hash[key]
    return isHash(below) && enter(below, after, value)
  }
  const rest = after.slice(2)
  const old = hash[key]
  if (rest === '' && typeof old === 'string') hash[key] = [old]
  hash[key] ??= []
  const list = hash[key]
  if (!Array.isArray(list)) return false
  if (rest === '') return list.push(value) > 0
  const last: unknown = list.at(-1)
  if (isHash(last) && !reaches(last, rest)) return enter(last, rest, value)
  const result: Hash = {}
  list.push(result)
  return enter(result, rest, value)
}

function reaches(hash: Hash, rest: string): boolean {
  if (rest.includes('[]')) return false
  let at: unknown = hash
  for (const [, step] of rest.matchAll(/\[(\w+)\]/g)) {
    if (!isHash(at) || !Object.hasOwn(at, step as string)) return false
    at = at[step as string]
  }
  return true
}
