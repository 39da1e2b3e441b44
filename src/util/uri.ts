// URIs for headers: forbidden characters are percent-encoded, existing escapes stay unchanged.

const UNSAFE = /[^\x21-\x7e]|[<>"\\^`{|}]/

/**
 * Converts a reference with any characters to an ASCII URI (RFC 3987, section 3.1). Spaces, controls and brackets,
 * which would end the header or the reference early, are encoded, too; a lone surrogate becomes U+FFFD, as everywhere
 * in UTF-8.
 */
export const toUri = (reference: string): string =>
  !UNSAFE.test(reference)
    ? reference
    : reference
        .replace(/\p{Surrogate}/gu, '\ufffd')
        .replace(/[^\x21-\x7e]|[<>"\\^`{|}]/gu, (character) => encodeURIComponent(character))
