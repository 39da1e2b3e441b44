// Cases in front of the application: request lines, header lines, lengths that disagree, and requests within requests.
import { valuesOf } from '../../answers.ts'
import { group, type Row } from '../../case.ts'
import type { Seen } from '../../wire.ts'

const HOST = 'Host: localhost\r\n'
const REFUSED = [400, 'closed'] as const
const JSON_TYPE = 'Content-Type: application/json\r\n'
const INNER = 'GET /reflect?value=smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A POST with these header lines and this rest. */
const post = (lines: string, rest = ''): string => `POST /things HTTP/1.1\r\n${HOST}${JSON_TYPE}${lines}\r\n${rest}`
const health = (lines: string): string => `GET /health HTTP/1.1\r\n${HOST}${lines}\r\n`
const framed = (says: string, lines: string): Row => [
  says,
  post(lines, `0\r\n\r\n${INNER}`),
  REFUSED,
  { anyone: REFUSED },
]

/** Complains when a client of HTTP/1.0 gets chunks (RFC 9112, section 6.1). */
const unchunked = ({ answers: [answer] }: Seen): string | undefined =>
  answer !== undefined && valuesOf(answer, 'transfer-encoding').length > 0
    ? 'it sends chunks to an old client'
    : undefined

const requestLines: readonly Row[] = [
  ['Nothing but the end of a line', '\r\n\r\n', [408, ...REFUSED], { patience: 2500 }],
  ['A word', 'hello\r\n\r\n', REFUSED],
  ['A method alone', 'GET\r\n\r\n', REFUSED],
  ['A request without a version', 'GET /health\r\n\r\n', REFUSED],
  ['A version that does not exist', `GET /health HTTP/9.9\r\n${HOST}\r\n`, [400, 505, 'closed']],
  ['The version of the next protocol', `GET /health HTTP/2.0\r\n${HOST}\r\n`, [505, ...REFUSED]],
  ['A version of one digit', `GET /health HTTP/1\r\n${HOST}\r\n`, REFUSED],
  ['A version in small letters', `GET /health http/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A version of another protocol', `GET /health ICE/1.0\r\n${HOST}\r\n`, REFUSED],
  ['The beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505, 'closed']],
  ['The beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', REFUSED],
  ['Random bytes', '\x00\xff\x80\x01\x02\x03\r\n\r\n', REFUSED],
  ['Two spaces in the request line', `GET  /health HTTP/1.1\r\n${HOST}\r\n`, [200, ...REFUSED]],
  ['A tab in the request line', `GET\t/health HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A space before the method', ` GET /health HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A space in the target', `GET /hea lth HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['NUL in the target', `GET /health\0 HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A control sign in the target', `GET /health\x01 HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A carriage return in the target', `GET /health\r/x HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A target that does not begin with a slash', `GET ../health HTTP/1.1\r\n${HOST}\r\n`, [400, 404, 'closed']],
  ['A method with a comma', `GE,T /health HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A method in small letters', `get /health HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['A built-in property as a method', `__proto__ /health HTTP/1.1\r\n${HOST}\r\n`, REFUSED],
  ['HTTP/1.0 without a host', 'GET /health HTTP/1.0\r\n\r\n', 200, { anyone: [200, 400] }],
  ['HTTP/1.0 and a stream', 'GET /stream HTTP/1.0\r\n\r\n', 200, { safe: unchunked }],
  [
    'HTTP/1.0 that wants to be kept, and a stream',
    'GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    200,
    { safe: unchunked },
  ],
  [
    'HTTP/1.0 that waits to be told to go on',
    [
      'PUT /text HTTP/1.0\r\nContent-Type: text/plain\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n',
      { wait: 20 },
      'a',
    ],
    [200, 417],
    { safe: ({ interim }) => (interim.length > 0 ? 'it tells an old client what only new ones know' : undefined) },
  ],
  ['HTTP/0.9', 'GET /health\n', [408, ...REFUSED], { patience: 2500 }],
  ['Ends of lines before the request', `\r\n\r\n\r\nGET /health HTTP/1.1\r\n${HOST}\r\n`, [200, 400]],
  ['Spaces behind the version', `GET /health HTTP/1.1   \r\n${HOST}\r\n`, [200, 400]],
]

const headerLines: readonly Row[] = [
  ['A header without a colon', health('bad header\r\n'), REFUSED],
  ['A header without a name', health(': value\r\n'), REFUSED],
  ['A space before the colon', health('X-A : b\r\n'), REFUSED, { anyone: REFUSED }],
  ['A tab before the colon', health('X-A\t: b\r\n'), REFUSED, { anyone: REFUSED }],
  ['A space in the name of a header', health('X A: b\r\n'), REFUSED],
  ['A header that is folded', health('X-A: b\r\n c\r\n'), REFUSED, { anyone: REFUSED }],
  ['A header that is folded with a tab', health('X-A: b\r\n\tc\r\n'), REFUSED, { anyone: REFUSED }],
  ['The first header is folded', `GET /health HTTP/1.1\r\n ${HOST}\r\n`, REFUSED],
  ['NUL in a header', health('X-A: b\0c\r\n'), REFUSED, { anyone: REFUSED }],
  ['NUL in the name of a header', health('X\0A: b\r\n'), REFUSED],
  ['A carriage return in a header', health('X-A: b\rc\r\n'), REFUSED, { anyone: REFUSED }],
  ['A line feed in a header', health('X-A: b\nX-B: c\r\n'), REFUSED, { anyone: [200, ...REFUSED] }],
  [
    'Lines that end with a line feed only',
    'GET /health HTTP/1.1\nHost: localhost\n\n',
    REFUSED,
    { anyone: [200, ...REFUSED] },
  ],
  [
    'Lines that end with a carriage return only',
    'GET /health HTTP/1.1\rHost: localhost\r\r',
    REFUSED,
    { patience: 2500 },
  ],
  ['A name of other letters', health('X-\xe9: b\r\n'), REFUSED],
  ['A name with brackets', health('X[A]: b\r\n'), REFUSED],
  ['A value of other bytes', health('X-A: \xff\xfe\r\n'), [200, 400]],
  ['A header of a built-in property', health('__proto__: b\r\nconstructor: c\r\n'), 200, { anyone: [200, 400] }],
  ['No host', 'GET /health HTTP/1.1\r\n\r\n', 400, { anyone: REFUSED }],
  ['Two hosts', health('Host: evil.invalid\r\n'), 400, { anyone: REFUSED }],
  ['Two hosts that are equal', health('host: localhost\r\n'), 400, { anyone: REFUSED }],
  ['An empty host', 'GET /health HTTP/1.1\r\nHost:\r\n\r\n', [200, 400]],
  ['A host with spaces', 'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n', [200, 400]],
  ['A host with a path', 'GET /health HTTP/1.1\r\nHost: a/b?c#d\r\n\r\n', [200, 400]],
  ['A host with a user', 'GET /health HTTP/1.1\r\nHost: a@b\r\n\r\n', [200, 400]],
  ['A host with a port that is none', 'GET /health HTTP/1.1\r\nHost: a:99999999\r\n\r\n', [200, 400]],
  ['A host of ten thousand letters', `GET /health HTTP/1.1\r\nHost: ${'a'.repeat(10_000)}\r\n\r\n`, [200, 400]],
  ['A host of brackets', 'GET /health HTTP/1.1\r\nHost: [[[\r\n\r\n', [200, 400]],
  ['A host of markup', 'GET /health HTTP/1.1\r\nHost: "><script>alert(1)</script>\r\n\r\n', [200, 400]],
  ['A host of other bytes', 'GET /health HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n', [200, 400]],
]

const lengths: readonly Row[] = [
  ...['-1', '+2', '0x2', '2.0', '2e0', 'two', '', ' ', '2 2', '2,2', '2;', '99999999999999999999999'].map(
    (length): Row => [
      `A length that is ${JSON.stringify(length)}`,
      post(`Content-Length: ${length}\r\n`, `{}${INNER}`),
      [400, 413, 'closed'],
      { anyone: [400, 413, 'closed'] },
    ],
  ),
  [
    'Two lengths that differ',
    post('Content-Length: 2\r\nContent-Length: 60\r\n', `{}${INNER}`),
    REFUSED,
    { anyone: REFUSED },
  ],
  ['Two lengths that are equal', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), REFUSED],
  ['A length that is folded', post('Content-Length:\r\n 2\r\n', `{}${INNER}`), REFUSED, { anyone: REFUSED }],
  [
    'A length with a space before its colon',
    post('Content-Length : 2\r\n', `{}${INNER}`),
    REFUSED,
    { anyone: REFUSED },
  ],
  ['A length with NUL', post('Content-Length: 2\0\r\n', `{}${INNER}`), REFUSED, { anyone: REFUSED }],
  [
    'A length of a name that is nearly right',
    post('Content_Length: 60\r\n', ''),
    400,
    { anyone: [200, 400, 411, 415] },
  ],
  [
    'A body that is shorter than it says',
    [post('Content-Length: 500\r\n', '{"name":'), 'END'],
    [400, 408, 'closed'],
    { patience: 2500 },
  ],
  [
    'A body that is longer than it says',
    post('Content-Length: 2\r\n', '{}xxxxxxxx\r\n\r\n'),
    400,
    { anyone: [200, 400, 'closed'], sequence: [400, 400], linger: 60 },
  ],
]

const smuggled: readonly Row[] = [
  framed('A length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
  framed('Chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'),
  framed('A length of zero and chunks', 'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n'),
  framed('A length of everything and chunks', `Content-Length: ${5 + INNER.length}\r\nTransfer-Encoding: chunked\r\n`),
  framed('A coding that is nearly chunked', 'Transfer-Encoding: xchunked\r\n'),
  framed('A coding in quotes', 'Transfer-Encoding: "chunked"\r\n'),
  framed('A coding with a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n'),
  framed('A coding with NUL', 'Transfer-Encoding: chunked\0\r\n'),
  framed('A coding that is folded', 'Transfer-Encoding:\r\n chunked\r\n'),
  framed('A coding with a space before its colon', 'Transfer-Encoding : chunked\r\n'),
  framed(
    'A coding behind another header by a line feed',
    'X-A: b\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n',
  ),
  framed('A coding behind a carriage return', 'X-A: b\rTransfer-Encoding: chunked\r\n'),
  framed('Chunked and then identity', 'Transfer-Encoding: chunked, identity\r\n'),
  framed('Chunked, and then another coding', 'Transfer-Encoding: chunked, gzip\r\n'),
  framed('Two headers of codings, chunked first', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'),
  framed(
    'Two headers of codings, and a length',
    'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n',
  ),
  framed('A coding of commas', 'Transfer-Encoding: ,,\r\nContent-Length: 5\r\n'),
  framed('A coding of spaces', 'Transfer-Encoding:   \r\nContent-Length: 5\r\n'),
  framed('A comma before the coding', 'Transfer-Encoding: ,chunked\r\nContent-Length: 5\r\n'),
  framed('A coding that nobody knows', 'Transfer-Encoding: cow\r\n'),
  framed('A coding with a semicolon', 'Transfer-Encoding: chunked;a=b\r\nContent-Length: 5\r\n'),
  [
    'A coding with HTTP/1.0',
    `POST /things HTTP/1.0\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${INNER}`,
    REFUSED,
    { anyone: REFUSED },
  ],
  [
    'Chunked twice in one header',
    post('Transfer-Encoding: chunked, chunked\r\n', `0\r\n\r\n`),
    [400, 'closed'],
    { anyone: [200, 400, 501, 'closed'] },
  ],
  [
    'An empty coding',
    post('Transfer-Encoding:\r\nContent-Length: 5\r\n', `0\r\n\r\n${INNER}`),
    REFUSED,
    { anyone: REFUSED },
  ],
  [
    'A request in the body of another',
    `POST /things HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${INNER.length}\r\n\r\n${INNER}`,
    400,
  ],
  [
    'A request in the body of a GET',
    `GET /health HTTP/1.1\r\n${HOST}Content-Length: ${INNER.length}\r\n\r\n${INNER}`,
    200,
    { anyone: [200, 400, 413] },
  ],
  [
    'A request in the body of a HEAD',
    `HEAD /health HTTP/1.1\r\n${HOST}Content-Length: ${INNER.length}\r\n\r\n${INNER}`,
    200,
    { head: true, anyone: [200, 400, 413] },
  ],
  [
    'A request in the body of an unknown path',
    `POST /nothing HTTP/1.1\r\n${HOST}Content-Length: ${INNER.length}\r\n\r\n${INNER}`,
    404,
    { anyone: [400, 404, 413, 415] },
  ],
  [
    'A request in the body of a refused type',
    `POST /things HTTP/1.1\r\n${HOST}Content-Type: a/b\r\nContent-Length: ${INNER.length}\r\n\r\n${INNER}`,
    415,
    { anyone: [400, 415] },
  ],
  [
    'A request in the chunks of a refused type',
    `POST /things HTTP/1.1\r\n${HOST}Content-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`,
    415,
    { anyone: [400, 415] },
  ],
]

/** Request lines and header lines. */
export const lines = group('LIN', 'request and header lines', [...requestLines, ...headerLines], { linger: 25 })

/** Lengths and smuggling. */
export const framing = group('SMG', 'lengths and smuggling', [...lengths, ...smuggled], { linger: 40 })
