// Compares names by their words, so that a path such as `/:slug/favorite` finds the attributes `favorited` and `favoritesCount`.
import { toSingular, toSnakeCase } from '../util/naming.ts'

/** Returns the words of a name in lower case. */
const splitWords = (name: string): readonly string[] =>
  toSnakeCase(name)
    .toLowerCase()
    .split(/[_\W]+/)

/** Returns the beginning that the forms of a word share: that of favorite, favorites and favorited. */
const getStem = (word: string): string =>
  toSingular(word.toLowerCase())
    .replace(/(?<=...)(?:ing|ed)$/, '')
    .replace(/(?<=...)e$/, '')

/** Returns whether one of a name's words begins with the stem of a word, as stargazers does with that of star. */
export function hasStem(name: string, word: string): boolean {
  const stem = getStem(word)
  return splitWords(name).some((one) => getStem(one) === stem || (stem.length > 3 && one.startsWith(stem)))
}

/** Returns whether a list has the name of a value: tags, tag_list and tagList that of tag. */
export function isListOf(list: string, value: string): boolean {
  const [words, wanted] = [splitWords(list), splitWords(value)]
  const rest = words.slice(wanted.length).join()
  return wanted.every((word, i) => getStem(words[i] ?? '') === getStem(word)) && (rest === '' || rest === 'list')
}
