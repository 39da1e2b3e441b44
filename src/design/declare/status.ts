// Every HTTP status with its standard message (IANA registry), and the names derived from it.
import { hashText } from '../../util/naming.ts'

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

// The names are literals: deriving them from the messages would slow down every start, and every compilation far more.

// Informational statuses (not final responses).
const informationalStatuses = {
  continue: 100,
  switchingProtocols: 101,
  processing: 102,
  earlyHints: 103,
} as const

// Statuses of success: except for `ok`, they have no body unless they declare one.
const successStatuses = {
  ok: 200,
  created: 201,
  accepted: 202,
  nonAuthoritativeInformation: 203,
  noContent: 204,
  resetContent: 205,
  partialContent: 206,
  multiStatus: 207,
  alreadyReported: 208,
  imUsed: 226,
} as const

// Statuses of redirection, without a body unless they declare one.
const redirectStatuses = {
  multipleChoices: 300,
  movedPermanently: 301,
  found: 302,
  seeOther: 303,
  notModified: 304,
  useProxy: 305,
  temporaryRedirect: 307,
  permanentRedirect: 308,
} as const

// Statuses of failure.
const failureStatuses = {
  badRequest: 400,
  unauthorized: 401,
  paymentRequired: 402,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  notAcceptable: 406,
  proxyAuthenticationRequired: 407,
  requestTimeout: 408,
  conflict: 409,
  gone: 410,
  lengthRequired: 411,
  preconditionFailed: 412,
  contentTooLarge: 413,
  uriTooLong: 414,
  unsupportedMediaType: 415,
  rangeNotSatisfiable: 416,
  expectationFailed: 417,
  imATeapot: 418,
  misdirectedRequest: 421,
  unprocessableContent: 422,
  locked: 423,
  failedDependency: 424,
  tooEarly: 425,
  upgradeRequired: 426,
  preconditionRequired: 428,
  tooManyRequests: 429,
  requestHeaderFieldsTooLarge: 431,
  unavailableForLegalReasons: 451,
  internalServerError: 500,
  notImplemented: 501,
  badGateway: 502,
  serviceUnavailable: 503,
  gatewayTimeout: 504,
  httpVersionNotSupported: 505,
  variantAlsoNegotiates: 506,
  insufficientStorage: 507,
  loopDetected: 508,
  notExtended: 510,
  networkAuthenticationRequired: 511,
} as const

/** The name under which an action lists a standard response. */
export type BuiltinResponse =
  | keyof typeof informationalStatuses
  | SuccessfulResponse
  | keyof typeof redirectStatuses
  | keyof typeof failureStatuses

/** The built-in responses of success. */
export type SuccessfulResponse = keyof typeof successStatuses

/** The built-in responses of failure. */
export type FailedResponse = keyof typeof failureStatuses

/** The class name of a standard response. */
export type ResponseClassName = Capitalize<BuiltinResponse>

/** The built-in responses that are not failures; except for `ok`, they have no body unless they declare one. */
export type BodilessResponse = Exclude<SuccessfulResponse, 'ok'> | keyof typeof redirectStatuses

/** The status of each built-in response name. */
export const builtinStatuses: ReadonlyMap<string, number> = new Map(
  Object.entries({ ...informationalStatuses, ...successStatuses, ...redirectStatuses, ...failureStatuses }),
)

// Two base-36 digits of a hash for each name, in the order of the statuses of each class; the names would make up a
// twentieth of a front end.
const STATUS_DIGESTS = [
  '4yiig8yc',
  '5x8d4e4xt1yra57qai..................................ms',
  'xxxz6lact7qu..s6yb',
  'ibk1pm7cb4ptrgks4vtd8obi5cuxvhhu9uymwh....kjximdvnr6qk..ngca..9h......................................78',
  'u1bg9crkuutsgeqxun..qdv6',
]

/**
 * Returns the status of a built-in response for clients, whose declarations have no mistakes; undefined for most other
 * names.
 */
export function findBuiltinStatus(name: string): number | undefined {
  const digest = (hashText(name, 11) % 1296).toString(36)
  for (const [i, digests] of STATUS_DIGESTS.entries()) {
    const index = (digests.match(/../g) as string[]).indexOf(digest)
    if (index >= 0) return 100 * (i + 1) + index
  }
  return undefined
}
