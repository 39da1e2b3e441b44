// The guard of quoted names finds each kind of name that does not exist, and the sources pass.
import { describe, expect, it } from 'vitest'
import { collectKnownNames, extractNames, findUnknownNames, listSourceFiles, parseFile } from './quoted-names.ts'

const sources = listSourceFiles().map((file) => parseFile(file))

const known = collectKnownNames(sources)

/** Returns the unknown names of an additional file. */
const checkText = (text: string): string[] =>
  findUnknownNames([parseFile('src/planted.ts', text)], known).map(({ name, location }) => `${location} ${name}`)

describe('names in backticks', () => {
  it('exist', () => {
    expect(findUnknownNames(sources, known).map(({ location, span }) => `${location}: \`${span}\``)).toEqual([])
  })

  it.each([
    ['a message', "const text = 'give a class of `classes`'", ['src/planted.ts:1 classes']],
    [
      'a template',
      `const text = (one: string) => \`give $\{one}: call \\\`declareAll(…)\\\` first\``,
      ['src/planted.ts:1 declareAll'],
    ],
    ['a member', "const text = 'use `route.fetchAll`'", ['src/planted.ts:1 fetchAll']],
    [
      'JSDoc of a public name',
      '\n/** Like `wholeMatching`. */\nexport const endpoint = 1',
      ['src/planted.ts:2 wholeMatching'],
    ],
    [
      'JSDoc of a member',
      'export interface EndpointSpec {\n  /** See `prefixes`. */\n  readonly a: 1\n}',
      ['src/planted.ts:2 prefixes'],
    ],
    ['JSDoc of another name', '/** Like `holyMatcher`. */\nconst a = 1', ['src/planted.ts:1 holyMatcher']],
  ])('are missed in %s', (_, text, expected) => {
    expect(checkText(text)).toEqual(expected)
  })

  it.each([
    ["const text = 'a class of `charClasses`, `t.json(…)` or `{ id: t.integer() }`'"],
    ["const text = 'the setting `actionDefaults`, the header `Link`'"],
    ['/** Like `getPatternMatcher`. */\nconst inner = 1'],
  ])('are known: %s', (text) => {
    expect(checkText(text)).toEqual([])
  })

  it('are those of paths and of calls, whatever else is quoted', () => {
    expect(extractNames('route.get')).toEqual(['route', 'get'])
    expect(extractNames('{ a: t.string(made()) }')).toEqual(['string', 'made'])
    expect(extractNames('?page[size]=1')).toEqual([])
  })
})
