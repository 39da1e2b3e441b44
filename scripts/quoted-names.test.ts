// The guard of quoted names finds each kind of name that does not exist, and the sources have none.
import { describe, expect, it } from 'vitest'
import { knownNames, namesIn, parse, sourceFiles, unknownNames } from './quoted-names.ts'

const sources = sourceFiles().map((file) => parse(file))

const known = knownNames(sources)

/** The unknown names of a file beside the sources. */
const planted = (text: string): string[] =>
  unknownNames([parse('src/planted.ts', text)], known).map(({ name, place }) => `${place} ${name}`)

describe('names in backticks', () => {
  it('exist', () => {
    expect(unknownNames(sources, known).map(({ place, span }) => `${place}: \`${span}\``)).toEqual([])
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
    expect(planted(text)).toEqual(expected)
  })

  it.each([
    ["const text = 'a class of `charClasses`, `t.json(…)` or `{ id: t.integer() }`'"],
    ["const text = 'the setting `actionDefaults`, the header `Link`'"],
    ['/** Like `compileMatcher`. */\nconst inner = 1'],
  ])('are known: %s', (text) => {
    expect(planted(text)).toEqual([])
  })

  it('are those of paths and of calls, whatever else is quoted', () => {
    expect(namesIn('route.get')).toEqual(['route', 'get'])
    expect(namesIn('{ a: t.string(made()) }')).toEqual(['string', 'made'])
    expect(namesIn('?page[size]=1')).toEqual([])
  })
})
