// The string formats; the JSON Schema format of the same name accepts every value that they accept.

/** The formats of `t.string`. */
export type StringFormat = 'uuid' | 'uri' | 'email'

interface TextFormat {
  readonly expected: string
  /** The length limits of its texts, in characters. */
  readonly lengths: { readonly shortest: number; readonly longest: number }
  test(value: string): boolean
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

// RFC 3986, written so that no part can match in two ways. Text beyond ASCII must be percent-encoded.
const PATH_CHARACTER = "(?:[\\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})"
const NAME_CHARACTER = "(?:[\\w.~!$&'()*+,;=-]|%[0-9a-f]{2})"
const AUTHORITY = `(?:(?:${NAME_CHARACTER}|:)*@)?(?:\\[[0-9a-f:.]+\\]|${NAME_CHARACTER}*)(?::[0-9]*)?`
const HIERARCHY = `(?://${AUTHORITY}(?:/${PATH_CHARACTER}*)*|/?(?:${PATH_CHARACTER}+(?:/${PATH_CHARACTER}*)*)?)`
const TAIL = `(?:[/?]|${PATH_CHARACTER})*`
const URI_PATTERN = new RegExp(`^[a-z][a-z0-9+.-]*:${HIERARCHY}(?:\\?${TAIL})?(?:#${TAIL})?$`, 'i')

// The dot-atom of RFC 5322 before the @, the host name of RFC 1123 with at least one dot after it.
const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const EMAIL_PATTERN = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`, 'i')

/** The formats by name. */
export const textFormats: { readonly [F in StringFormat]: TextFormat } = {
  uuid: {
    expected: 'a UUID',
    lengths: { shortest: 36, longest: 36 },
    test: (value) => UUID_PATTERN.test(value),
  },
  uri: {
    expected: 'an absolute URI',
    lengths: { shortest: 2, longest: 2048 },
    test: (value) => value.length <= 2048 && URI_PATTERN.test(value) && URL.canParse(value),
  },
  email: {
    expected: 'an e-mail address',
    lengths: { shortest: 5, longest: 254 },
    test: (value) => value.length <= 254 && value.indexOf('@') <= 64 && EMAIL_PATTERN.test(value),
  },
}
