import { expect, it } from 'vitest'
import { findCycles, findMutualFolders, findPrivateImports, measureLongestChain } from './graph.ts'
import { hasLeadingVerb, hasOfSuffix, isBareParticiple } from './names.ts'
import { readSource } from './sources.ts'

it.each(['readBody', 'isOpen', 'withHeaders', 'to', 'URLSearch'])('knows whether %s begins with a verb', (name) => {
  expect(hasLeadingVerb(name)).toBe(name !== 'URLSearch')
})

it('tells nouns and participles from verbs', () => {
  for (const name of ['nameOf', 'bodyOf', 'settled', 'header', 'written']) expect(hasLeadingVerb(name)).toBe(false)
  expect(['nameOf', 'roof', 'of'].map(hasOfSuffix)).toEqual([true, false, false])
  expect(['written', 'settled', 'read', 'writtenAt', 'going'].map(isBareParticiple)).toEqual([
    ...[true, true, false, false, true],
  ])
})

it('counts what a source is made of', () => {
  const text = `import { a } from './a.ts'
/** A comment
 * of two lines. */
export function first(one: any, isOpen: boolean) {
  return one ? 1 : isOpen ? 2 : (3 as unknown as number)
}
export const second = (a = true, b: number, c: number, d: number, e: number) => a! as const // TODO
type Third = import('./b.ts').B
`
  expect(readSource('folder/it.ts', text, new Set(['folder/a.ts', 'folder/b.ts']))).toMatchObject({
    ...{ lines: 8, commentLines: 3, functionLines: [3, 1], topFunctions: ['first', 'second'], topTypes: ['Third'] },
    imports: ['folder/a.ts', 'folder/b.ts'],
    counts: {
      ...{ any: 1, nestedTernaries: 1, manyParameters: 1, booleanParameters: 2, casts: 2, doubleCasts: 1 },
      ...{ nonNull: 1, suppressions: 0, todos: 1 },
    },
  })
})

it('finds circles, chains and folders that import each other', () => {
  const graph = new Map([
    ['a/one.ts', ['b/two.ts', 'a/in/four.ts']],
    ['b/two.ts', ['c/three.ts']],
    ['b/back.ts', ['a/one.ts']],
    ['c/three.ts', []],
    ['a/in/four.ts', ['c/three.ts']],
    ['a/in/five.ts', ['a/one.ts']],
  ])
  expect(findCycles(graph)).toEqual([])
  expect(measureLongestChain(graph)).toBe(4)
  expect(findMutualFolders(graph)).toEqual({ siblings: ['a b'], nested: ['a a/in'] })
  expect(
    findCycles(
      new Map([
        ['x.ts', ['y.ts']],
        ['y.ts', ['x.ts']],
        ['z.ts', ['x.ts']],
      ]),
    ),
  ).toEqual(['x.ts', 'y.ts'])
})

it('finds files of plugins that outsiders import without an entry point', () => {
  const graph = new Map([
    ['mock/it.ts', ['plugins/a/index.ts', 'plugins/a/private.ts', 'util/it.ts']],
    ['cli/deep/it.ts', ['plugins/a/private.ts']],
    ['plugins/b/it.ts', ['plugins/a/other.ts']],
  ])
  const entryPoints = new Set(['plugins/a/index.ts'])
  expect(findPrivateImports(graph, ['mock', 'cli'], entryPoints)).toEqual(['plugins/a/private.ts'])
})
