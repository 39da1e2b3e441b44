// Requests that a proxy and a server could read differently. Each hides a request that only one of them would see.

const hidden = 'GET /api/paths/visits/hidden HTTP/1.1\r\nHost: a\r\n\r\n'
const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`

/** A request to an action that does not read its body, which must be skipped exactly. */
function post(headers: readonly string[], body: string, path = '/api/uploads/ignored', version = '1.1'): string {
  return [`POST ${path} HTTP/${version}`, 'Host: a', ...headers, '', body].join('\r\n')
}

const length = `Content-Length: ${hidden.length}`
const coded = 'Transfer-Encoding: chunked'

/** The probes by what they try. */
export const probes: Readonly<Record<string, string>> = {
  'a length and chunks, the length longer': post([`Content-Length: ${chunked.length}`, coded], `0\r\n\r\n${hidden}`),
  'chunks and a length, the length shorter': post([coded, 'Content-Length: 4'], chunked),
  'two lengths, the second shorter': post([length, 'Content-Length: 0'], hidden),
  'two lengths, the first shorter': post(['Content-Length: 0', length], hidden),
  'the same length twice': post([length, length], hidden),
  'a list of lengths': post([`Content-Length: ${hidden.length}, 0`], hidden),
  'a length with a plus': post([`Content-Length: +${hidden.length}`], hidden),
  'a hexadecimal length': post([`Content-Length: 0x${hidden.length.toString(16)}`], hidden),
  'a negative length': post(['Content-Length: -1'], hidden),
  'an empty length': post(['Content-Length:'], hidden),
  'a length beyond all numbers': post([`Content-Length: ${'9'.repeat(40)}`], hidden),
  'a space before the colon of the length': post([`Content-Length : ${hidden.length}`], hidden),
  'a coding with a space before its colon': post(['Transfer-Encoding : chunked', length], `0\r\n\r\n${hidden}`),
  'a coding behind a vertical tab': post(['Transfer-Encoding: \x0bchunked', length], `0\r\n\r\n${hidden}`),
  'a coding in quotes': post(['Transfer-Encoding: "chunked"', length], `0\r\n\r\n${hidden}`),
  'a coding of another name': post(['Transfer-Encoding: xchunked', length], `0\r\n\r\n${hidden}`),
  'two codings': post(['Transfer-Encoding: chunked, identity', length], `0\r\n\r\n${hidden}`),
  'two lines of codings': post([coded, 'Transfer-Encoding: identity'], chunked),
  'an empty coding': post(['Transfer-Encoding:', length], `0\r\n\r\n${hidden}`),
  'a coding on a folded line': post(['X-Line: a', ` ${coded}`, length], `0\r\n\r\n${hidden}`),
  'a coding behind a bare line feed': post([`X-Line: a\n${coded}`, length], `0\r\n\r\n${hidden}`),
  'a coding behind a bare carriage return': post([`X-Line: a\r${coded}`, length], `0\r\n\r\n${hidden}`),
  'a coding with an underscore': post(['Transfer_Encoding: chunked', length], `0\r\n\r\n${hidden}`),
  'a coding in HTTP/1.0': post([coded, length], `0\r\n\r\n${hidden}`, undefined, '1.0'),
  'a connection that disowns the length': post(['Connection: keep-alive, Content-Length', length], hidden),
  'a chunk with a length beyond all numbers': post([coded], `${'f'.repeat(17)}\r\n${hidden}\r\n0\r\n\r\n`),
  'chunks with bare line feeds': post([coded], chunked.replaceAll('\r\n', '\n')),
  'a chunk longer than it says': post([coded], `5\r\nhello${hidden}0\r\n\r\n`),
  'an extension with a line feed in it': post([coded], `5;a\nb\r\nhello\r\n0\r\n\r\n${hidden}`),
  'a request in the trailer': post([coded], `5\r\nhello\r\n0\r\n${hidden}`),
  'a request as the body of GET': post([length], hidden).replace('POST', 'GET'),
  'a request as the body of HEAD': post([length], hidden).replace('POST', 'HEAD').replace('/ignored', ''),
  'a body that is refused by its type': post([length, 'Content-Type: a/b'], hidden, '/api/uploads/notes'),
  'a body in chunks that is refused by its type': post([coded, 'Content-Type: a/b'], chunked, '/api/uploads/notes'),
  'a body of a path that there is not': post([length], hidden, '/api/nothing'),
  'a body that waits to be asked for': post([length, 'Expect: 100-continue'], hidden, '/api/nothing'),
  'an upgrade to HTTP/2': post(
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk', length],
    hidden,
  ),
  'a null byte in a header': post([`X-Line: a\0b`, length], hidden),
}
