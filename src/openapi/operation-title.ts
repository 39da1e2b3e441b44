// Forms the titles of operations in English from the names of endpoints and actions: `Users.register` is titled
// "Register a user".
import { toPlural, toSingular, toSnakeCase } from '../util/naming.ts'

/** The facts about an action that its title depends on. */
export interface TitleSource {
  /** The name of the endpoint, and its singular in snake case. */
  readonly endpoint: string
  readonly singular: string
  /** The name of the action. */
  readonly action: string
  /** Whether its method is GET or HEAD. */
  readonly isRead: boolean
  /** Whether its path addresses one element of the endpoint. */
  readonly capturesElement: boolean
  /** Whether it responds with a list. */
  readonly hasList: boolean
}

const toSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

// A read is often named by a noun, `Books.cover`, so it begins with a verb only if that is listed here. Any other action
// begins with a verb.
const READ_VERBS = toSet(`
  activate authenticate authorize autocomplete browse calculate check compare compute confirm count describe download
  embed estimate explain export fetch filter find follow generate get index inspect list load login logout look lookup
  open peek ping poll preview print query read redirect render resolve retrieve scan search show signin signout signup
  stream subscribe suggest test track translate unsubscribe validate verify visit watch`)
const LIST_VERBS = toSet('browse count filter index list query search')
const CREATING_VERBS = toSet('add book create generate insert issue new open register')
const ADDING_VERBS = toSet('add append assign attach')
// Words before a verb: `softDelete` is "Soft delete a user".
const ADVERBS = toSet('auto batch bulk deep force hard mass quick soft')
const BULK_ADVERBS = toSet('batch bulk mass')

const PHRASES: ReadonlyMap<string, string> = new Map([
  ['index', 'list'],
  ['login', 'log in'],
  ['logout', 'log out'],
  ['signin', 'sign in'],
  ['signout', 'sign out'],
  ['signup', 'sign up'],
  ['comment', 'comment on'],
  ['react', 'react to'],
  ['reply', 'reply to'],
  ['respond', 'respond to'],
  ['subscribe', 'subscribe to'],
  ['unsubscribe', 'unsubscribe from'],
  ['vote', 'vote for'],
])
/** Phrases without an object. */
const WHOLE_PHRASE = /^(?:log (?:in|out)|sign (?:in|out|up))$/

// `shutDown` is "Shut down a server", `findByIsbn` is "Find a book by ISBN".
const PARTICLES = toSet('away back down in off on out over up')
const PREPOSITIONS = toSet('after as at before between by for from in into near on per since to via with without')
/** Words for the user who sends the request. */
const CALLER_WORDS = toSet('current me myself self whoami')
const OWNER_WORDS = toSet('mine my own')
const SELECTING_WORDS = toSet('active best default first last latest newest next oldest previous top')
// Verbs for all elements at once where the path addresses none: `Stats.show` at `/stats` is "Show the stats".
const WHOLE_VERBS = toSet('get patch put read replace show update')
const UNCOUNTABLE_NOUNS = toSet(`
  analytics auth authentication authorization configuration content data equipment feedback furniture hardware health
  information logistics media metadata news physics software traffic weather`)
const UNCHANGED_PLURALS = toSet('headquarters means series species')
const INITIALISMS = toSet('api csv ean html http id ip isbn jpg json jwt pdf png qr sku sms sql ssh svg url uuid xml')

/** Returns the title of an action from its name. */
export function formOperationTitle(source: TitleSource): string {
  const words = splitWords(source.action)
  const [first = ''] = words
  const acronyms = findAcronyms(source.action)
  const element = describeElement(source)
  const isVerb = !source.isRead || READ_VERBS.has(first) || ADVERBS.has(first)
  const title = isVerb ? formVerbTitle(words, element, acronyms) : formNounTitle(words, element, acronyms)
  return title.charAt(0).toUpperCase() + title.slice(1)
}

/** The nouns for the elements of an endpoint. */
interface ElementNouns {
  readonly one: string
  readonly many: string
  /** The snake-case words of both. */
  readonly oneWords: readonly string[]
  readonly manyWords: readonly string[]
  /** The element with its article as the object of a verb. */
  formObject(verb: string): string
  /** The elements after "of": one if the action addresses one. */
  readonly owner: string
  readonly hasList: boolean
}

function describeElement({ endpoint, singular, capturesElement, hasList }: TitleSource): ElementNouns {
  const words = splitWords(endpoint)
  const last = words.at(-1) ?? ''
  const acronyms = findAcronyms(endpoint)
  const isUncountable = UNCOUNTABLE_NOUNS.has(last)
  // An endpoint in the singular has one element, such as the profile of the caller.
  const isSingle = singular === words.join('_') && !UNCHANGED_PLURALS.has(last)
  const oneWords = singular.split('_')
  const manyWords = isSingle && !isUncountable ? [...words.slice(0, -1), toPlural(last)] : words
  const one = formatWords(oneWords, acronyms)
  const many = formatWords(manyWords, acronyms)
  const formObject = (verb: string): string => {
    if (CREATING_VERBS.has(verb)) return isUncountable ? one : withArticle(one)
    if (WHOLE_VERBS.has(verb) && !capturesElement && !isSingle) return `the ${many}`
    return isSingle ? `the ${one}` : withArticle(one)
  }
  const addressed = capturesElement ? withArticle(one) : many
  const owner = isSingle ? `the ${one}` : addressed
  return { one, many, oneWords, manyWords, formObject, owner, hasList }
}

type Acronyms = ReadonlySet<string>

function formVerbTitle(words: readonly string[], element: ElementNouns, acronyms: Acronyms): string {
  const [first = '', second = ''] = words
  const isModified = ADVERBS.has(first) && second !== ''
  const verb = isModified ? second : first
  const phrase = isModified ? `${first} ${second}` : (PHRASES.get(first) ?? first)
  const { rest, number } = removeElement(words.slice(isModified ? 2 : 1), element)
  const [next = ''] = rest
  const whole = [phrase, ...rest].join(' ')
  if (WHOLE_PHRASE.test(whole)) return whole

  const isMany =
    number === undefined ? LIST_VERBS.has(verb) || BULK_ADVERBS.has(first) || element.hasList : number === 2
  const object = isMany ? element.many : element.formObject(verb)
  if (rest.length === 0) return `${phrase} ${object}`
  if (rest.length === 1) {
    if (next === 'one') return `${phrase} ${withArticle(element.one)}`
    if (next === 'all' || next === 'many') return `${phrase} ${next} ${element.many}`
    const selected = formSelection(next, isMany, element)
    if (selected !== undefined) return `${phrase} ${selected}`
    if (PARTICLES.has(next)) return `${phrase} ${next} ${object}`
  }
  const text = formatWords(rest, acronyms)
  if (number !== undefined || PREPOSITIONS.has(next)) return `${phrase} ${object} ${text}`
  if (ADDING_VERBS.has(verb)) return `${phrase} ${isPlural(rest) ? text : withArticle(text)} to ${element.owner}`
  return `${phrase} the ${text} of ${element.owner}`
}

function formNounTitle(words: readonly string[], element: ElementNouns, acronyms: Acronyms): string {
  const { rest, number } = removeElement(words, element)
  const [next = ''] = rest
  const verb = element.hasList ? 'list' : 'show'
  const isMany = element.hasList || number === 2
  const object = isMany ? element.many : withArticle(element.one)
  if (rest.length === 0) return `${verb} ${object}`
  const selected = rest.length === 1 ? formSelection(next, isMany, element) : undefined
  if (selected !== undefined) return `${verb} ${selected}`
  const text = formatWords(rest, acronyms)
  if (PREPOSITIONS.has(next)) return `${verb} ${object} ${text}`
  if (element.hasList && !isPlural(rest)) return `list ${text} ${element.many}`
  return `${verb} the ${text} of ${element.owner}`
}

/** Forms the object of a verb from a word that selects elements, if it is one. */
function formSelection(word: string, isMany: boolean, { one, many }: ElementNouns): string | undefined {
  const noun = isMany ? many : one
  if (CALLER_WORDS.has(word)) return `the current ${noun}`
  if (OWNER_WORDS.has(word)) return `your ${noun}`
  return SELECTING_WORDS.has(word) ? `the ${word} ${noun}` : undefined
}

/** Removes the element from the beginning of some words: `user by id` has `by id` left. */
function removeElement(words: readonly string[], element: ElementNouns): { rest: readonly string[]; number?: 1 | 2 } {
  const startsWith = (noun: readonly string[]): boolean => noun.every((word, i) => words[i] === word)
  if (startsWith(element.manyWords)) return { rest: words.slice(element.manyWords.length), number: 2 }
  if (startsWith(element.oneWords)) return { rest: words.slice(element.oneWords.length), number: 1 }
  return { rest: words }
}

const splitWords = (name: string): readonly string[] =>
  toSnakeCase(name)
    .split(/[_\W]+/u)
    .filter((word) => word !== '')

/** Finds the words of a name that are written in capitals, in lower case: `http` of HTTPLogs. */
const findAcronyms = (name: string): Acronyms =>
  new Set(name.match(/[A-Z]{2,}(?=s?(?:[A-Z_]|$)|[A-Z][a-z])/g)?.map((word) => word.toLowerCase()))

const isPlural = (words: readonly string[]): boolean => toSingular(words.at(-1) ?? '') !== words.at(-1)

function formatWords(words: readonly string[], acronyms: Acronyms): string {
  const format = (word: string): string => {
    if (acronyms.has(word) || INITIALISMS.has(word)) return word.toUpperCase()
    const one = word.replace(/s$/, '')
    return acronyms.has(one) || INITIALISMS.has(one) ? `${one.toUpperCase()}s` : word
  }
  return words
    .map(format)
    .join(' ')
    .replace(/\bo auth/g, 'OAuth')
}

/** Prefixes the indefinite article that the first sound of a phrase asks for. */
function withArticle(phrase: string): string {
  const isSpelled = /^[A-Z]{2}/.test(phrase)
  const startsWithVowel = isSpelled
    ? /^[AEFHILMNORSX]/.test(phrase)
    : /^(?:[aeiou]|hour|hono|heir)/i.test(phrase) && !/^(?:uni(?![dmn])|us[aeu]|ut[ei]|ub|ura|eu|onc?e\b)/i.test(phrase)
  return `${startsWithVowel ? 'an' : 'a'} ${phrase}`
}
