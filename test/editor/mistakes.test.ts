// Typical mistakes: where the compilers point, and what the first line of each message says.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Checked, checkMistakes, type Found } from './mistakes/check.ts'

/** The most characters of the first line of a message. */
const FIRST_LINE = 200
/** What compilers add about the parameters of a function that stands at a mistaken place. */
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

const isVague = ({ message }: Found): boolean => message.length > FIRST_LINE || message.startsWith('No overload')

describe('mistakes', () => {
  it('are those of the texts: corrected, each of them compiles', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(60)
    expect(mistakes.filter(({ table }) => table !== 'selections').flatMap(({ right }) => right)).toEqual([])
  })

  it('CLT-02 corrected, calls that select fields compile', () => {
    expect(mistakes.filter(({ table }) => table === 'selections').flatMap(({ right }) => right)).toEqual([])
  })

  it.fails('EDT-02 EDT-03 are refused by the compiler wherever it can know them', () => {
    expect(namesOf((found) => found.length === 0)).toEqual([])
  })

  it.fails('EDT-02 are reported at the mistaken word, and nowhere else', () => {
    expect(namesOf((found) => found.some(isStray))).toEqual([])
  })

  it.fails('EDT-06 are named in the first line, in at most 200 characters', () => {
    expect(namesOf((found) => found.some(isVague))).toEqual([])
  })

  it('have these messages (`npx vitest run test/editor/mistakes.test.ts -u` records a change)', async () => {
    await expect(mistakes.map(entry).join('\n')).toMatchFileSnapshot('mistakes/expected.txt')
  })
})
