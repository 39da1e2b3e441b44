// The machine compared with the platform's backtracking engine: same preference, same captures.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern } from '../index.ts'

interface Part {
  readonly pattern: string
  readonly regexp: string
}

const literal: fc.Arbitrary<Part> = fc
  .constantFrom('a', 'b', '/', '.', 'ab', '/a')
  .map((text) => ({ pattern: text, regexp: text.replace('.', '\\.') }))
const optional: fc.Arbitrary<Part> = fc.constantFrom(
  { pattern: 'xa?', regexp: 'xa?' },
  { pattern: 'x(/b)?', regexp: 'x(?:/b)?' },
  { pattern: '(a|ab)', regexp: '(?:a|ab)' },
  { pattern: '(ab|a)x?', regexp: '(?:ab|a)x?' },
)

// A capture before an optional part follows a separate rule, so a literal always follows here.
const part: fc.Arbitrary<Part> = fc.oneof(
  literal,
  optional,
  fc.constant({ pattern: '(:N)a', regexp: '(?<N>[^/?#]+)a' }),
  fc.constant({ pattern: ':N/', regexp: '(?<N>[^/?#]+)/' }),
  fc.constant({ pattern: '(:N|b:N).', regexp: '(?:(?<N>[^/?#]+)|b(?<N>[^/?#]+))\\.' }),
  fc.constant({ pattern: '(*N)', regexp: '(?<N>[^]*?)' }),
  fc.constant({ pattern: '(/*N)?x', regexp: '(?:/(?<N>[^]*?))?x' }),
)

/** Numbers the names; alternatives with one name get two in the RegExp, which does not allow duplicate names. */
function build(parts: readonly Part[]): { pattern: string; regexp: RegExp } {
  let regexp = ''
  let pattern = ''
  parts.forEach((each, i) => {
    pattern += each.pattern.replaceAll('N', `n${i}`)
    let copy = 0
    regexp += each.regexp.replaceAll('<N>', () => `<n${i}_${copy++}>`)
  })
  return { pattern, regexp: new RegExp(`^(?:${regexp})$`) }
}

function reference(regexp: RegExp, text: string): Record<string, string | null> | null {
  const found = regexp.exec(text)
  if (found === null) return null
  const params: Record<string, string | null> = {}
  for (const [key, value] of Object.entries(found.groups ?? {})) {
    const name = key.slice(0, key.indexOf('_'))
    params[name] = value ?? params[name] ?? null
  }
  return params
}

describe('the machine', () => {
  it('captures what a backtracking engine captures', () => {
    let matches = 0
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x', '/', '.', '?'), maxLength: 10 })
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.array(text, { minLength: 5, maxLength: 20 }),
        (parts, texts) => {
          const { pattern, regexp } = build(parts)
          const compiled = compilePathPattern(pattern)
          for (const each of texts) {
            const want = reference(regexp, each)
            if (want !== null) matches += 1
            const got = compiled.match(each)
            expect([pattern, each, got && { ...got }]).toEqual([pattern, each, want])
          }
        },
      ),
      { numRuns: 2000 },
    )
    expect(matches).toBeGreaterThan(500)
  }, 30_000)
})
