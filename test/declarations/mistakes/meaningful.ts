// The reviewed lists: what may stand at a place although it looks odd, and places that are named by other words.
import type { Edit } from './edits.ts'

/** Places that may not be left out. */
const REQUIRED =
  /^(endpoint\.actions|mediaType\.attributes|collectionOf\.view|apiKey\.(in|name)|oauth2\.flows|openIdConnect\.url|resource\.table|application\.controllers|plugin\.name|implementation\.\w+|response\.status|responses\.odd\.status)$/

const TEXTS = ['empty text', 'text']
const FLAGS = ['true', 'false']
// A function is called when its time comes; what it then does is its own affair.
const FUNCTIONS = ['function', 'Number']

/** Edits that have a meaning, by the place. Any other edit that boots is a mistake without a message. */
const MEANINGFUL: readonly (readonly [place: RegExp, labels: readonly string[]])[] = [
  [
    /\.(required|nullable|allowNul|nodoc|trust|logRequests|wildcards|enforceAllFields|disallow\w+|signals|fatal)$/,
    FLAGS,
  ],
  [/\.(description|title|location)$/, TEXTS],
  [/^bearer\.format$|^endpoint\.prefix$|^route\.(prefix|except)$|^application\.basePath$/, TEXTS],
  [/\.location$|^route\.capture$/, ['RegExp']],
  [/^(endpoint|lazy|plugin|route|bearer|basic|http|apiKey|oauth2|openIdConnect|response|mediaType)\.name$/, ['text']],
  [
    /^(endpoint\.(version|singular)|apiKey\.name|http\.scheme|application\.requestId\.header|serve\.host|scope|childOf\.mapping\.id)$/,
    ['text'],
  ],
  // Limits and counts.
  [/^(string|collection|hash)\.min$/, ['0']],
  [/^(integer|number)\.min$/, ['0', '-1']],
  [/\.max$/, ['3', '10n']],
  [/^scaled\.precision$/, ['3']],
  [/^scaled\.scale$/, ['0', '3']],
  [/^(action\.bodyLimit|application\.limits\.\w+|PaginationParams\.\w+|pagination\.\w+|mock\.rows)$/, ['3']],
  [/\.(default|pagingDefaultMode)\.page$/, ['3']],
  [/^(mock\.rows|application\.timeout|serve\.(port|backlog|max\w+|timeouts\.\w+))$/, ['0', '3', '1.5']],
  [/^serve\.workers$/, ['3']],
  // Defaults and examples that the attribute itself accepts.
  [/\.(default|example)$/, ['null']],
  [
    /^(string|integer|number|bigint|decimal|boolean|date|dateTime|time|any|collection|hash|struct|json|union)\.default$/,
    FUNCTIONS,
  ],
  [/^boolean\.(default|example)$/, FLAGS],
  [/^dateTime\.(default|example)$/, ['Date']],
  [/^collection\.(default|example)$/, ['empty list', 'list of text']],
  [/^(hash|struct|json)\.(default|example)$/, ['empty object']],
  [/^(struct|json)\.(default|example)$/, ['object']],
  [
    /^any\.(default|example)$/,
    [
      'true',
      'false',
      '0',
      '3',
      '-1',
      '1.5',
      'NaN',
      ...TEXTS,
      'empty list',
      'list of null',
      'list of text',
      'empty object',
      'object',
      'Date',
      '10n',
    ],
  ],
  // Lists of texts.
  [/^listed\.values$|\.ignore$|^plugin\.provides$|^route\.capture$/, ['list of text']],
  [
    /\.ignore$|^plugin\.(provides|requires|after)$|^application\.(plugins|verifiers)$|^many\.order$|^mapper\.resources$|^computed\.needs$/,
    ['empty list'],
  ],
  [/^route\.capture$/, ['text']],
  // Forms of a header and of a response.
  [/^header\.(value|pattern)$/, ['undefined', ...TEXTS, 'RegExp', 'empty object']],
  [/^responses\.created\.headers\.X-\w$/, ['true', ...TEXTS, 'RegExp']],
  [/^(responses|actionDefaults\.responses)\.\w+$/, ['true', 'empty object']],
  [/^responses\.(created|odd)$/, ['true', 'empty object']],
  // Attributes that come from elsewhere.
  [/^resource\.attributes\.\w+$/, ['false']],
  // Functions.
  [/\.(callback|check|run|onClose|checkOptions|paramNotes|contract|show)$/, FUNCTIONS],
  [/^mediaType\.views\.short$|^before\.actions$/, ['empty list']],
  // No rules.
  [/^struct\.requires$|\.requires\.(params|payload)$/, ['empty list']],
  [/^(action|actionDefaults)\.requires$/, ['empty object']],
  [/^serve\.http$/, ['object']],
  // The settings of plugins that are not there are those of another deployment.
  [/^(application\.)?config$/, ['object']],
]

/** Objects that may be empty, and arguments that may be left out. */
const EMPTY =
  /^(\w+|endpoint\.mediaType|header\.\w+|union\.(a|variants\.\w)|struct\.attributes|params|actionDefaults(\.\w+)?|endpoint\.actionDefaults|action\.(params|headers|payload)|payloadOf\.attributes|childOf\.mapping|create\.\w+|responses\.created\.headers|response\.headers|application\.(validation|limits|requestId|config)|mediaType\.(attributes|views)|oauth2\.flows|pagination\.sorting|config\.\w+|mapper\.resources|serve\.(timeouts|http)|FilteringParams\.title|route\.capture|many\.on|\w+\.options)$/

/** Tells whether an edit leaves a declaration that means something. */
export function isMeaningful({ place, label, of }: Edit): boolean {
  if (label === 'undefined' || label === 'removed')
    return !REQUIRED.test(place) && (of !== 'argument' || EMPTY.test(place))
  if (label === 'empty object' && EMPTY.test(place)) return true
  return MEANINGFUL.some(([pattern, labels]) => pattern.test(place) && labels.includes(label))
}

/** Places that a message names by other words: those of the setting that the spoilt one contradicts. */
const WORDS: readonly (readonly [place: RegExp, words: RegExp])[] = [
  [/^\w+\.(min|max|pattern)$/, /default|example|values/],
  [/^mediaType\.attributes$/, /attribute/],
  [/^pagination\.defaultPageSize$/, /page size/],
  [/^pagination\.disallowPagingByDefault$/, /disallowed/],
  [/^FilteringParams\.title$/, /fields/],
  [/^many\.(on\.id|through)$/, /column/],
  [/^resource\.attributes$/, /book/],
  [/^endpoint\.actions$/, /routing|controller/],
  [/^before\.actions$/, /there is no action/],
  [/^plugin\.requires$/, /needs/],
]

/** Tells whether a message names a place. */
export function namesPlace(message: string, place: string): boolean {
  const key = place.split('.').at(-1) as string
  const told = message.toLowerCase().replaceAll(' ', '')
  return (
    told.includes(key.toLowerCase()) || WORDS.some(([pattern, words]) => pattern.test(place) && words.test(message))
  )
}
