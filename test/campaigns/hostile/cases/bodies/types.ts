// Content types, charsets and content codings: missing, wrong, repeated; compressed bodies and bombs.
import { constants, deflateSync, gzipSync } from 'node:zlib'
import { group, type Row } from '../../case.ts'
import { ask, send, utf8 } from '../../requests.ts'

const BODY = '{"name":"a"}'
const typed = (type: string): Buffer => send('POST /things', type, BODY)

const unsupported: readonly (readonly [string, string])[] = [
  ['', 'An empty content type'],
  ['a', 'A content type that is a word'],
  ['/', 'A content type that is a slash'],
  ['application/', 'A content type without its second half'],
  ['/json', 'A content type without its first half'],
  ['application/jsonx', 'A content type that begins like JSON'],
  ['text/json', 'JSON as it was never called'],
  ['text/plain', 'A text'],
  ['text/html', 'A page'],
  ['application/xml', 'XML'],
  ['application/x-yaml', 'YAML'],
  ['application/octet-stream', 'Bytes'],
  ['*/*', 'Any type'],
  ['application/*', 'Any type of an application'],
  ['application/json, text/plain', 'Two content types in one header'],
  ['application/json application/json', 'Two content types with a space'],
  ['applic ation/json', 'A space within a content type'],
  ['application/json; charset=utf-16', 'UTF-16'],
  ['application/json; charset=utf-7', 'UTF-7'],
  ['application/json; charset=iso-2022-jp', 'A charset that is read differently by everybody'],
  ['application/json; charset="', 'A charset whose quotes are not closed'],
  ['application/json\u00e9', 'A content type with another letter'],
  ['__proto__', 'A built-in property as a content type'],
  ['constructor/prototype', 'Built-in properties as a content type'],
  ['image/svg+xml', 'A picture'],
  [`application/${'a'.repeat(8000)}`, 'A content type of eight thousand letters'],
]

const gzip = (data: string | Uint8Array): Buffer => gzipSync(data)
const coded = (coding: string, body: Uint8Array | string): Buffer =>
  send('POST /things', 'application/json', body, { 'Content-Encoding': coding })
const zeros = (megabytes: number): Buffer => gzipSync(Buffer.alloc(megabytes * 1024 * 1024, 32), { level: 9 })

// A server that does not know a coding may refuse it, or fail to read the body as JSON.
const codings: readonly Row[] = [
  ['A compressed body', coded('gzip', gzip(BODY)), 200, { anyone: [200, 400, 415] }],
  ['A compressed body by its old name', coded('x-gzip', gzip(BODY)), [200, 415], { anyone: [200, 400, 415] }],
  ['A deflated body', coded('deflate', deflateSync(BODY)), 200, { anyone: [200, 400, 415] }],
  ['A coding in capitals', coded('GZIP', gzip(BODY)), 200, { anyone: [200, 400, 415] }],
  ['The coding that changes nothing', coded('identity', BODY), 200, { anyone: [200, 400, 415] }],
  ['An empty coding', coded('', BODY), [200, 400, 415]],
  ['A coding that nobody knows', coded('zip', BODY), 415],
  ['A coding of old systems', coded('compress', BODY), 415],
  ['A built-in property as a coding', coded('__proto__', BODY), 415],
  ['Two codings', coded('gzip, gzip', gzip(gzip(BODY))), [400, 415]],
  ['A hundred codings', coded(Array.from({ length: 100 }, () => 'gzip').join(', '), gzip(BODY)), [400, 415]],
  ['A body that is not compressed', coded('gzip', BODY), 400, { anyone: [200, 400, 415] }],
  ['A compressed body that is cut', coded('gzip', gzip(BODY).subarray(0, 20)), 400],
  ['A compressed body with a wrong sum', coded('gzip', spoilt(gzip(BODY))), 400],
  [
    'A compressed body with bytes behind it',
    coded('gzip', Buffer.concat([gzip(BODY), Buffer.from('rest')])),
    [200, 400],
  ],
  ['Two compressed bodies in one', coded('gzip', Buffer.concat([gzip('{"name":'), gzip('"a"}')])), [200, 400]],
  ['A compressed body of nothing', coded('gzip', gzip('')), 400],
  ['An empty body that says that it is compressed', coded('gzip', ''), 400],
  ['A deflated body without its head', coded('deflate', deflateSync(BODY).subarray(2)), [200, 400]],
  ['A bomb of 10 MiB', coded('gzip', zeros(10)), 413, { anyone: [400, 413, 415] }],
  ['A bomb of 100 MiB', coded('gzip', zeros(100)), 413, { anyone: [400, 413, 415] }],
  [
    'A bomb that is not compressed well',
    coded('gzip', gzipSync(Buffer.alloc(4 * 1024 * 1024, 'ab'), { strategy: constants.Z_HUFFMAN_ONLY })),
    413,
    { anyone: [400, 413, 415] },
  ],
  ['A bomb within a bomb', coded('gzip', gzipSync(zeros(50))), 400, { anyone: [400, 413, 415] }],
  [
    'A bomb for an action that takes a text',
    send('PUT /text', 'text/plain', zeros(20), { 'Content-Encoding': 'gzip' }),
    413,
    { anyone: [200, 400, 413, 415] },
  ],
  [
    'A bomb as a form',
    send('POST /things', 'application/x-www-form-urlencoded', zeros(20), { 'Content-Encoding': 'gzip' }),
    413,
    { anyone: [400, 413, 415] },
  ],
  [
    'A bomb as a multipart body',
    send('POST /upload', 'multipart/form-data; boundary=b', zeros(20), { 'Content-Encoding': 'gzip' }),
    [400, 413],
    { anyone: [400, 413, 415] },
  ],
  [
    'A bomb in a file',
    send('PUT /file', 'application/octet-stream', zeros(20), { 'Content-Encoding': 'gzip' }),
    413,
    { anyone: [200, 400, 413, 415] },
  ],
  ['A coding that a proxy speaks', coded('br', BODY), 415],
]

function spoilt(compressed: Buffer): Buffer {
  const changed = Buffer.from(compressed)
  changed[changed.length - 6] = (changed[changed.length - 6] as number) ^ 0xff
  return changed
}

const rows: Row[] = [
  ...unsupported.map(([type, says]): Row => [says, typed(type), 415, { anyone: [200, 400, 406, 415] }]),
  [
    'A body without a content type',
    `${ask('POST', '/things', { 'Content-Length': '12' })}${BODY}`,
    415,
    { anyone: [200, 400, 415] },
  ],
  [
    'Two headers with a content type',
    `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\n${BODY}`,
    [200, 400, 415],
  ],
  ['A content type in capitals', typed('APPLICATION/JSON'), 200, { anyone: [200, 400, 415] }],
  ['A charset in quotes', typed('application/json; charset="UTF-8"'), 200, { anyone: [200, 400, 415] }],
  ['A charset twice', typed('application/json; charset=utf-8; charset=utf-16'), [200, 400, 415]],
  ['A thousand parameters', typed(`application/json${';a=b'.repeat(1000)}`), [200, 400, 415]],
  ['A thousand semicolons', typed(`application/json${';'.repeat(1000)}`), [200, 400, 415]],
  [
    'A parameter of eight thousand escaped signs',
    typed(`application/json; a="${'\\"'.repeat(4000)}"`),
    [200, 400, 415],
  ],
  ['A parameter whose quotes never close', typed(`application/json; a="${'\\'.repeat(8000)}`), [200, 400, 415]],
  [
    'Spaces around the semicolon',
    typed(`application/json${' '.repeat(5000)};${' '.repeat(5000)}charset=utf-8`),
    [200, 400, 415],
  ],
  ['A suffix of JSON', typed('application/vnd.a+json'), 200, { anyone: [200, 400, 415] }],
  ['A suffix of JSON alone', typed('application/+json'), [200, 400, 415]],
  ['A text that is no UTF-8', send('PUT /text', 'text/plain', '\xff\xfe'), 400, { anyone: [200, 400] }],
  ['A text with NUL', send('PUT /text', 'text/plain', 'a\0b'), 400, { anyone: [200, 400] }],
  [
    'A text of another charset',
    send('PUT /text', 'text/plain; charset=latin1', 'é'),
    [400, 415],
    { anyone: [200, 400, 415] },
  ],
  ['A text with two byte order marks', send('PUT /text', 'text/plain', utf8('\ufeff\ufeffa')), [200, 400]],
  ...codings,
]

/** Content types and codings. */
export const types = group('TYP', 'content types and codings', rows)
