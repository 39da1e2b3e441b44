// Names derived from names, once for the run time and once for the compiler; both halves follow the same small rules.

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

// Whether a word begins at an upper-case letter with `Rest` behind it. Within capitals it does if a lower-case letter follows,
// unless that is the plural s of an acronym: `HTTPLogs`, but `APIs`.
type Break<Before extends string, Rest extends string> = Before extends ''
  ? ''
  : Before extends 'lower'
    ? '_'
    : Rest extends `${infer Next}${infer After}`
      ? Uppercase<Next> extends Next
        ? ''
        : Next extends 's'
          ? After extends `${infer Third}${string}`
            ? Uppercase<Third> extends Third
              ? ''
              : '_'
            : ''
          : '_'
      : ''

/** A name in snake case, as a type: BlogPosts becomes blog_posts, and HTTPLogs becomes http_logs. */
export type Snake<
  S extends string,
  Done extends string = '',
  Before extends '' | 'upper' | 'lower' = '',
> = S extends `${infer C}${infer Rest}`
  ? C extends Upper
    ? Snake<Rest, `${Done}${Break<Before, Rest>}${Lowercase<C>}`, 'upper'>
    : Snake<Rest, `${Done}${C}`, C extends '_' ? '' : 'lower'>
  : Done

// English plurals by their endings, each with that of the singular; the longest one counts, and _ is where a word begins. The
// rules of `singular` say the same: a front end has those, in fewer bytes.
interface Endings {
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
  newbies: 'newbie'
  freebies: 'freebie'
  calories: 'calorie'
  selfies: 'selfie'
  brownies: 'brownie'
  hoodies: 'hoodie'
  foodies: 'foodie'
  goodies: 'goodie'
  smoothies: 'smoothie'
  _genies: '_genie'
  prairies: 'prairie'
  _sorties: '_sortie'
  goalies: 'goalie'
  veggies: 'veggie'
  _indies: '_indie'
  magpies: 'magpie'
  neckties: 'necktie'
  bowties: 'bowtie'
  junkies: 'junkie'
  talkies: 'talkie'
  hippies: 'hippie'
  _ties: '_tie'
  _pies: '_pie'
  _lies: '_lie'
  _dies: '_die'
  caches: 'cache'
  _aches: '_ache'
  headaches: 'headache'
  toothaches: 'toothache'
  heartaches: 'heartache'
  backaches: 'backache'
  mustaches: 'mustache'
  niches: 'niche'
  quiches: 'quiche'
  cliches: 'cliche'
  avalanches: 'avalanche'
  shoes: 'shoe'
  _toes: '_toe'
  _hoes: '_hoe'
  _foes: '_foe'
  _roes: '_roe'
  _does: '_doe'
  _canoes: '_canoe'
  _oboes: '_oboe'
  _aloes: '_aloe'
  _uses: '_use'
  _reuses: '_reuse'
  fuses: 'fuse'
  _muses: '_muse'
  _ruses: '_ruse'
  recluses: 'recluse'
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
  neuroses: 'neurosis'
  synopses: 'synopsis'
  emphases: 'emphasis'
  nemeses: 'nemesis'
  _oases: '_oasis'
  _axes: '_axis'
  _axis: '_axis'
  _iris: '_iris'
  debris: 'debris'
  tennis: 'tennis'
  indices: 'index'
  vertices: 'vertex'
  matrices: 'matrix'
  vortices: 'vortex'
  codices: 'codex'
  appendices: 'appendix'
  criteria: 'criterion'
  phenomena: 'phenomenon'
  automata: 'automaton'
  bacteria: 'bacterium'
  curricula: 'curriculum'
  addenda: 'addendum'
  memoranda: 'memorandum'
  errata: 'erratum'
  strata: 'stratum'
  schemata: 'schema'
  alumni: 'alumnus'
  cacti: 'cactus'
  _foci: '_focus'
  fungi: 'fungus'
  nuclei: 'nucleus'
  radii: 'radius'
  stimuli: 'stimulus'
  syllabi: 'syllabus'
  mice: 'mouse'
  _dice: '_die'
  _oxen: '_ox'
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
  scarves: 'scarf'
  hooves: 'hoof'
  dwarves: 'dwarf'
  knives: 'knife'
  wives: 'wife'
  _lives: '_life'
  menus: 'menu'
  gurus: 'guru'
  eaus: 'eau'
  _emus: '_emu'
  _gnus: '_gnu'
  _cpus: '_cpu'
  _gpus: '_gpu'
  _tpus: '_tpu'
  _skus: '_sku'
  analytics: 'analytics'
  logistics: 'logistics'
  physics: 'physics'
  politics: 'politics'
  economics: 'economics'
  mathematics: 'mathematics'
  headquarters: 'headquarters'
}

type SingularEnd<S extends string> = S extends keyof Endings
  ? Endings[S]
  : S extends `${infer C}${infer Rest}`
    ? `${C}${SingularEnd<Rest>}`
    : ''

/** The singular of a plural name in snake case, as a type. */
export type Singular<S extends string> = SingularEnd<`_${S}`> extends `_${infer One}` ? One : never

/** Writes a name in snake case: upper-case letters begin words, and an acronym is one word. */
export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at: number) => {
    const before = name[at - 1] ?? '_'
    const begins = /[A-Z]/.test(before) ? /^.([a-rt-z]|s[a-z])/.test(name.slice(at)) : before !== '_'
    return (begins ? '_' : '') + letter.toLowerCase()
  })

/** Writes a name in Pascal case, of ASCII letters and digits only: `add_cover` becomes `AddCover`. */
export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

// The first that fits counts.
const RULES: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/quizzes$/, 'quiz'],
  [
    /((mov|ook|(zom|new|free)b|calor|self|brown|(hoo|foo|goo|_in)d|smooth|_gen|prair|_sort|goal|vegg|magp|(neck|bow)t|junk|talk|hipp|_[tpld])ie|((c|_|head|tooth|heart|back|must)a|ni|qui|cli|avalan)che|shoe|_(can|ob|al|[thfrd])oe|(_|_re|_m|_r|recl|o|a|f|exc|ab)use|menu|guru|eau|_([cgt]p|sk|em|gn)u)s$/,
    '$1',
  ],
  [
    /(ss|us|sis|series|species|_news|alias|bias|_gas|canvas|atlas|lens|means|_axis|_iris|debris|tennis|((analy|logis|mathema|poli)t|phys|econom)ics|headquarters)$/,
    '$1',
  ],
  [/_axes$/, '_axis'],
  [/(y|the|cri|gno|neuro|synop|empha|neme|_oa)ses$/, '$1sis'],
  [/(ss|zz|x|[sc]h|o|us|alias|bias|_gas|canvas|atlas|iris|lens)es$/, '$1'],
  [/ies$/, 'y'],
  [/men$/, 'man'],
  [/people$/, 'person'],
  [/(child|_ox)r?en$/, '$1'],
  [/(ind|vert|vort|cod)ices$/, '$1ex'],
  [/(matr|append)ices$/, '$1ix'],
  [/(criteri|phenomen|automat)a$/, '$1on'],
  [/(bacteri|curricul|addend|memorand|errat|strat)a$/, '$1um'],
  [/(schema)ta$/, '$1'],
  [/(alumn|cact|_foc|fung|nucle|radi|stimul|syllab)i$/, '$1us'],
  [/(wol|el|hal|_cal|lea|loa|thie|scar|hoo|dwar)ves$/, '$1f'],
  [/(kni|wi|_li)ves$/, '$1fe'],
  [/mice$/, 'mouse'],
  [/_dice$/, '_die'],
  [/geese$/, 'goose'],
  [/_feet$/, '_foot'],
  [/teeth$/, 'tooth'],
  [/s$/, ''],
]

/** Returns the singular of a plural name in snake case, as English has it; an endpoint may set its own. */
export function singular(name: string): string {
  const word = `_${name}`
  const [plural, one] = RULES.find(([ending]) => ending.test(word)) ?? [/$/, '']
  return word.replace(plural, one).slice(1)
}

/** A number of 32 bits that stands for a text (FNV-1a). */
export function digest(text: string, start: number): number {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
