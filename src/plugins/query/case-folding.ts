// Case-insensitive text matching, the same in every datastore regardless of its collations and Unicode version. Two
// characters match if Unicode's simple case folding maps both to one character; accents are significant.

/** The characters that differ only in case, keyed by each of them. */
let caseGroups: ReadonlyMap<string, string> | undefined

/** The upper end of the scan for cased characters, with headroom for later Unicode versions. */
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

// Some characters fold to several, or follow the rules of one language: the `iu` flags of regular expressions decide those.
function foldCharacter(character: string): string {
  const lower = character.toUpperCase().toLowerCase()
  const one = [...lower].length === 1 ? lower : character.toLowerCase()
  return new RegExp(`^${one}$`, 'iu').test(character) ? one : character
}

/** Returns all characters that equal the given one without regard to case, itself included. */
export function listCaseVariants(character: string): string {
  caseGroups ??= buildCaseGroups()
  return caseGroups.get(character) ?? character
}

/** Returns a case-insensitive regular expression that needs no flag: JavaScript, PostgreSQL, MySQL and MariaDB read it alike. */
export const buildAnyCasePattern = (text: string): string =>
  Array.from(text, (character) => {
    const variants = listCaseVariants(character)
    return variants === character ? character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&') : `[${variants}]`
  }).join('')

/** Returns a function that tests whether a value contains the text without regard to case; nothing contains U+0000. */
export function createContainsTest(text: string): (value: unknown) => boolean {
  if (text.includes('\0')) return () => false
  const pattern = new RegExp(buildAnyCasePattern(text), 'u')
  return (value) => typeof value === 'string' && pattern.test(value)
}

/** Splits a text into words of letters and digits, in lower case. */
export const splitWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
