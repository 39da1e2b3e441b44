// Texts without regard to case: the same for every datastore, whatever its collations and its version of Unicode say. Two
// characters are alike where Unicode's simple case folding has one for both; accents count.

/** Groups of characters that differ in case only, by each of them. */
let caseGroups: ReadonlyMap<string, string> | undefined

/** The last character that has a case, with room for later ones. */
const LAST_CASED = 0x1e9ff

function buildCaseGroups(): ReadonlyMap<string, string> {
  const byFolded = new Map<string, string>()
  const folded: [string, string][] = []
  for (let code = 0x41; code <= LAST_CASED; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (character.toLowerCase() === character && character.toUpperCase() === character) continue
    const key = foldCharacter(character)
    byFolded.set(key, (byFolded.get(key) ?? '') + character)
    folded.push([character, key])
  }
  return new Map(folded.map(([character, key]) => [character, byFolded.get(key) as string]))
}

// Some characters become several, or belong to a language that has rules of its own: regular expressions know those.
function foldCharacter(character: string): string {
  const lower = character.toUpperCase().toLowerCase()
  const one = [...lower].length === 1 ? lower : character.toLowerCase()
  return new RegExp(`^${one}$`, 'iu').test(character) ? one : character
}

/** All characters that are alike, the given one included. */
export function listCaseVariants(character: string): string {
  caseGroups ??= buildCaseGroups()
  return caseGroups.get(character) ?? character
}

/** A regular expression for a text without regard to case, which needs no flag: JavaScript, PostgreSQL, MySQL and MariaDB read it alike. */
export const buildAnyCasePattern = (text: string): string =>
  Array.from(text, (character) => {
    const all = listCaseVariants(character)
    return all === character ? character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&') : `[${all}]`
  }).join('')

/** Makes the test whether a text contains another, without regard to case; nothing contains U+0000. */
export function createContainsTest(text: string): (value: unknown) => boolean {
  if (text.includes('\0')) return () => false
  const pattern = new RegExp(buildAnyCasePattern(text), 'u')
  return (value) => typeof value === 'string' && pattern.test(value)
}

/** The words of a text: letters and digits, in lower case. */
export const splitWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
