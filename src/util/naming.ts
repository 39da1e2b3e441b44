// Derives names from names, at run time and as types; both follow the same rules.

type Upper =
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'N'
  | 'O'
  | 'P'
  | 'Q'
  | 'R'
  | 'S'
  | 'T'
  | 'U'
  | 'V'
  | 'W'
  | 'X'
  | 'Y'
  | 'Z'

// Whether a word begins at an upper-case letter followed by `Rest`. Within capitals it does if a lower-case letter
// follows, unless that is the plural ending of an acronym: `HTTPLogs`, but `APIs` and `SMSes`.
type WordBreak<Before extends string, Letter extends string, Rest extends string> = Before extends ''
  ? ''
  : Before extends 'lower'
    ? '_'
    : Rest extends `${infer Next}${infer After}`
      ? Uppercase<Next> extends Next
        ? ''
        : Next extends 's'
          ? EndingBreak<After>
          : [Letter, Rest] extends [Hissing, `es${infer Others}`]
            ? EndingBreak<Others>
            : '_'
      : ''

type EndingBreak<After extends string> = After extends `${infer Next}${string}`
  ? Uppercase<Next> extends Next
    ? ''
    : '_'
  : ''

/** The last letters of acronyms whose plural ends in es. */
type Hissing = 'S' | 'X' | 'Z'

/** A name in snake case, as a type: BlogPosts becomes blog_posts, HTTPLogs becomes http_logs. */
export type Snake<
  S extends string,
  Done extends string = '',
  Before extends '' | 'upper' | 'lower' = '',
> = S extends `${infer C}${infer Rest}`
  ? C extends Upper
    ? Snake<Rest, `${Done}${WordBreak<Before, C, Rest>}${Lowercase<C>}`, 'upper'>
    : Snake<Rest, `${Done}${C}`, C extends '_' ? '' : 'lower'>
  : Done

// English plural endings, each with that of the singular; the longest match wins, and _ marks the beginning of a word.
// The rules of `toSingular` state the same in fewer bytes, for front ends.
interface PluralEndings {
  s: ''
  ss: 'ss'
  us: 'us'
  sis: 'sis'
  ies: 'y'
  sses: 'ss'
  zzes: 'zz'
  xes: 'x'
  shes: 'sh'
  ches: 'ch'
  oes: 'o'
  uses: 'us'
  ouses: 'ouse'
  auses: 'ause'
  yses: 'ysis'
  theses: 'thesis'
  men: 'man'
  people: 'person'
  children: 'child'
  series: 'series'
  species: 'species'
  _news: '_news'
  movies: 'movie'
  ookies: 'ookie'
  zombies: 'zombie'
  calories: 'calorie'
  selfies: 'selfie'
  brownies: 'brownie'
  _ties: '_tie'
  _pies: '_pie'
  _lies: '_lie'
  _dies: '_die'
  caches: 'cache'
  _aches: '_ache'
  headaches: 'headache'
  niches: 'niche'
  avalanches: 'avalanche'
  shoes: 'shoe'
  _toes: '_toe'
  _canoes: '_canoe'
  _uses: '_use'
  _reuses: '_reuse'
  fuses: 'fuse'
  excuses: 'excuse'
  abuses: 'abuse'
  aliases: 'alias'
  biases: 'bias'
  _gases: '_gas'
  canvases: 'canvas'
  atlases: 'atlas'
  alias: 'alias'
  bias: 'bias'
  _gas: '_gas'
  canvas: 'canvas'
  atlas: 'atlas'
  irises: 'iris'
  lenses: 'lens'
  lens: 'lens'
  means: 'means'
  quizzes: 'quiz'
  crises: 'crisis'
  gnoses: 'gnosis'
  _axes: '_axis'
  _axis: '_axis'
  _iris: '_iris'
  debris: 'debris'
  tennis: 'tennis'
  indices: 'index'
  vertices: 'vertex'
  matrices: 'matrix'
  appendices: 'appendix'
  criteria: 'criterion'
  phenomena: 'phenomenon'
  mice: 'mouse'
  geese: 'goose'
  _feet: '_foot'
  teeth: 'tooth'
  wolves: 'wolf'
  shelves: 'shelf'
  halves: 'half'
  _calves: '_calf'
  elves: 'elf'
  leaves: 'leaf'
  loaves: 'loaf'
  thieves: 'thief'
  knives: 'knife'
  wives: 'wife'
  _lives: '_life'
  menus: 'menu'
  gurus: 'guru'
  eaus: 'eau'
  _cpus: '_cpu'
  _gpus: '_gpu'
  _skus: '_sku'
  analytics: 'analytics'
  logistics: 'logistics'
  physics: 'physics'
  headquarters: 'headquarters'
}

type SingularEnd<S extends string> = S extends keyof PluralEndings
  ? PluralEndings[S]
  : S extends `${infer C}${infer Rest}`
    ? `${C}${SingularEnd<Rest>}`
    : ''

/** The singular of a plural name in snake case, as a type. */
export type Singular<S extends string> = SingularEnd<`_${S}`> extends `_${infer One}` ? One : never

/** The singular of a plural name in Pascal case, as a type, in snake case. */
export type SingularName<S extends string> = S extends `${string}S`
  ? Snake<S>
  : S extends `${infer Stem}s`
    ? AcronymStem<Stem> extends ''
      ? Singular<Snake<S>>
      : Snake<AcronymStem<Stem>>
    : Singular<Snake<S>>

/** The acronym of a plural without its s; empty for other words. */
type AcronymStem<Stem extends string> = Stem extends `${string}${Upper}`
  ? Stem extends `${string}${Upper}${Upper}`
    ? Stem
    : ''
  : Stem extends `${infer Acronym}e`
    ? Acronym extends `${string}${Upper}${Hissing}`
      ? Acronym
      : ''
    : ''

/** Converts the plural endings of acronyms to upper case: they belong to the acronym. */
const raisePlurals = (name: string): string =>
  name.replace(/(?<=[A-Z])([A-Z]|[SXZ]e)s(?![a-z])/g, (end) => end.toUpperCase())

/** Converts a name to snake case: upper-case letters begin words, and an acronym is one word. */
export function toSnakeCase(name: string): string {
  const raised = raisePlurals(name)
  return raised.replace(/[A-Z]/g, (letter, index: number) => {
    const before = raised[index - 1] ?? '_'
    const isWordStart = /[A-Z]/.test(before) ? /^.[a-z]/.test(raised.slice(index)) : before !== '_'
    return (isWordStart ? '_' : '') + letter.toLowerCase()
  })
}

/** Converts a name to Pascal case, of ASCII letters and digits only: `add_cover` becomes `AddCover`. */
export function toPascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

// The first match wins.
const SINGULAR_RULES: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/quizzes$/, 'quiz'],
  [
    /(movie|ookie|zombie|calorie|selfie|brownie|_[tpld]ie|[c_d]ache|niche|avalanche|shoe|_toe|_canoe|(_|_re|o|a|f|exc|ab)use|menu|guru|eau|_[cg]pu|_sku)s$/,
    '$1',
  ],
  [
    /(ss|us|sis|series|species|_news|alias|bias|_gas|canvas|atlas|lens|means|_axis|_iris|debris|tennis|(analy|logis)tics|physics|headquarters)$/,
    '$1',
  ],
  [/_axes$/, '_axis'],
  [/(y|the|cri|gno)ses$/, '$1sis'],
  [/(ss|zz|x|[sc]h|o|us|alias|bias|_gas|canvas|atlas|iris|lens)es$/, '$1'],
  [/ies$/, 'y'],
  [/men$/, 'man'],
  [/people$/, 'person'],
  [/(child)ren$/, '$1'],
  [/(ind|vert)ices$/, '$1ex'],
  [/(matr|append)ices$/, '$1ix'],
  [/(criteri|phenomen)a$/, '$1on'],
  [/(wol|el|hal|_cal|lea|loa|thie)ves$/, '$1f'],
  [/(kni|wi|_li)ves$/, '$1fe'],
  [/mice$/, 'mouse'],
  [/geese$/, 'goose'],
  [/_feet$/, '_foot'],
  [/teeth$/, 'tooth'],
  [/s$/, ''],
]

/** Returns the English singular of a plural name in snake case; an endpoint may set its own. */
export function toSingular(name: string): string {
  const word = `_${name}`
  const [plural, replacement] = SINGULAR_RULES.find(([ending]) => ending.test(word)) ?? [/$/, '']
  return word.replace(plural, replacement).slice(1)
}

/**
 * Returns the singular of a name in Pascal case, in snake case. A capital S ends an acronym (DNS), not a plural, and the
 * rules of words do not apply to the plural of an acronym (DNSes, TPUs).
 */
export const toSingularName = (name: string): string =>
  raisePlurals(name).endsWith('S') ? toSnakeCase(name.replace(/[a-z]+$/, '')) : toSingular(toSnakeCase(name))

/** Returns the English plural of a singular word. */
export function toPlural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

/** Returns a 32-bit hash of a text (FNV-1a). */
export function hashText(text: string, start: number): number {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
