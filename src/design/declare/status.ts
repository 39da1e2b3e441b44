// Every HTTP status with its standard message (IANA registry), and the names derived from it.

/** The standard message of each HTTP status. */
export const statusMessages = {
  100: 'Continue',
  101: 'Switching Protocols',
  102: 'Processing',
  103: 'Early Hints',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  203: 'Non-Authoritative Information',
  204: 'No Content',
  205: 'Reset Content',
  206: 'Partial Content',
  207: 'Multi-Status',
  208: 'Already Reported',
  226: 'IM Used',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  305: 'Use Proxy',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  510: 'Not Extended',
  511: 'Network Authentication Required',
} as const

type Messages = typeof statusMessages

/** A standard HTTP status code. */
type StatusCode = keyof Messages

type Words<S extends string> = S extends `${infer A}'${infer B}`
  ? Words<`${A}${B}`>
  : S extends `${infer Word} ${infer Rest}`
    ? `${Words<Word>}${Words<Rest>}`
    : S extends `${infer Word}-${infer Rest}`
      ? `${Words<Word>}${Words<Rest>}`
      : Capitalize<Lowercase<S>>

/** The class name of a status: its message in camel case with a capital. */
export type ClassName<C extends StatusCode = StatusCode> = C extends StatusCode ? Words<Messages[C]> : never

/** The name under which an action lists a standard response. */
export type BuiltinResponse = Uncapitalize<ClassName>

/** The built-in responses that are no failures; but for `ok`, they have no body unless they name one. */
export type BodilessResponse = Exclude<Uncapitalize<ClassName<Extract<StatusCode, Successful>>>, 'ok'>

type Successful = { [C in StatusCode]: `${C}` extends `${2 | 3}${string}` ? C : never }[StatusCode]

// `No Content` becomes `noContent`. Every start does this for all of them, so it is one pass without pieces.
function responseName(message: string): string {
  let name = ''
  let capital = false
  for (let at = 0; at < message.length; at++) {
    const character = message.charAt(at)
    if (character === ' ' || character === '-') capital = true
    else if (character !== "'") {
      name += capital ? character.toUpperCase() : character.toLowerCase()
      capital = false
    }
  }
  return name
}

/** The status of each built-in response name. */
export const builtinStatuses: ReadonlyMap<string, number> = new Map(
  Object.entries(statusMessages).map(([status, message]) => [responseName(message), Number(status)]),
)
