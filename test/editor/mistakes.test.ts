// Typical mistakes: where the compilers point, and what the first line of each message says.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Checked, checkMistakes, type Found } from './mistakes/check.ts'

/** The most characters of the first line of a message. */
const FIRST_LINE = 200
/** The words by which a compiler says what is wrong. */
const NAMING =
  /is not assignable to|does not exist (?:on|in)|is missing in|missing the following|only specify known|Expected \d|no overlap|possibly|not callable|implicitly|has no exported|Cannot find|is of type|not comparable|can only be/
/** Errors that compilers add about the parameters of a function at a mistaken place. */
const CONSEQUENCES = new Set(['TS7006', 'TS7031'])
let mistakes: readonly Checked[]

beforeAll(async () => {
  mistakes = await checkMistakes()
}, 240_000)

const errorText = ({ code, at, isMarked, message }: Found): string =>
  `${code} at ${isMarked ? '' : 'another place, '}\`${at}\`\n    ${message}`

const said = (found: readonly Found[]): string => found.map(errorText).join('\n  ') || 'nothing'

function entry({ name, wrong, boot }: Checked): string {
  const [newer, older] = [said(wrong['7.0']), said(wrong['5.9'])]
  const compilers = newer === older ? `  ${newer}` : `  TypeScript 7.0: ${newer}\n  TypeScript 5.9: ${older}`
  return `${name}\n${compilers}\n  boot: ${boot}\n`
}

/** The mistakes that a compiler can know, and about which one of the compilers says what the filter asks for. */
const namesOf = (filter: (found: readonly Found[]) => boolean): string[] =>
  mistakes.filter(({ left, wrong }) => left === undefined && Object.values(wrong).some(filter)).map(({ name }) => name)

const isStray = ({ isMarked, code }: Found): boolean => !isMarked && !CONSEQUENCES.has(code)

// The rest is the structure that users wrote, which compilers print without a name.
const isVague = ({ message }: Found): boolean => !NAMING.test(message.slice(0, FIRST_LINE))

describe('mistakes', () => {
  it('are those of the texts: corrected, each of them compiles', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(60)
    expect(mistakes.filter(({ table }) => table !== 'selections').flatMap(({ right }) => right)).toEqual([])
  })

  it('[CLT-02] corrected, calls that select fields compile', () => {
    expect(mistakes.filter(({ table }) => table === 'selections').flatMap(({ right }) => right)).toEqual([])
  })

  it('[EDT-02] [EDT-03] are refused by the compiler wherever it can know them', () => {
    expect(namesOf((found) => found.length === 0)).toEqual([])
  })

  it('[EDT-02] are reported at the mistaken word, and nowhere else', () => {
    expect(namesOf((found) => found.some(isStray))).toEqual([
      // Other headers may be given as well: what is wrong is that one is missing.
      'required header that is misspelt',
      'call with a misspelt header',
    ])
  })

  it('[EDT-06] are named within the first 200 characters of the message', () => {
    expect(namesOf((found) => found.some(isVague))).toEqual([])
  })

  it('have these messages (`npx vitest run test/editor/mistakes.test.ts -u` records a change)', async () => {
    await expect(mistakes.map(entry).join('\n')).toMatchFileSnapshot('mistakes/expected.txt')
  })
})
