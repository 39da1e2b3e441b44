// Multipart bodies: no boundary, no end, endless headers, nesting, thousands of parts, and names that climb.
import { group, type Row } from '../../case.ts'
import { multipart, part } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

const END = '--b--\r\n'
const TITLE = part('; name="title"', 'a')
const file = (name: string, content = 'x', ...more: string[]): string =>
  part(`; name="file"; filename="${name}"`, content, 'Content-Type: text/plain', ...more)
const upload = (body: string, type?: string): Buffer => multipart('/upload', body, type)

/** Complains when the name of a file that the action got leads out of a folder. */
function plainName({ answers: [answer] }: Seen): string | undefined {
  if (answer?.status !== 200) return undefined
  const { file: seen } = JSON.parse(answer.body.toString()) as { file?: { name?: string } }
  return /[/\\\0]|^\.\.?$/.test(seen?.name ?? '') ? `the file is called ${JSON.stringify(seen?.name)}` : undefined
}

const types: readonly (readonly [string, string])[] = [
  ['multipart/form-data', 'No boundary'],
  ['multipart/form-data; boundary=', 'An empty boundary'],
  ['multipart/form-data; boundary=""', 'An empty boundary in quotes'],
  ['multipart/form-data; boundary="b', 'A boundary whose quotes are not closed'],
  [`multipart/form-data; boundary=${'b'.repeat(71)}`, 'A boundary that is too long'],
  [`multipart/form-data; boundary=${'b'.repeat(8000)}`, 'A boundary of eight thousand characters'],
  ['multipart/form-data; boundary="b\xff"', 'A boundary of other bytes'],
  ['multipart/form-data; boundary=c', 'A boundary that the body does not have'],
  ['multipart/form-data; boundary=b; boundary=c', 'Two boundaries'],
  ["multipart/form-data; boundary*=utf-8''b", 'A boundary in the extended form'],
]

const broken: readonly (readonly [string, string])[] = [
  ['', 'An empty body'],
  ['--', 'Two dashes'],
  ['--b', 'A boundary and nothing more'],
  ['--b\r\n', 'A boundary and its line'],
  ['--b\r\n\r\n', 'A part without a head and without an end'],
  [`${TITLE}`, 'No last boundary'],
  [`${TITLE}--b-`, 'A last boundary that is cut'],
  ['--b\r\nContent-Disposition: form-data; name="title"\r\n', 'A part that ends within its head'],
  ['--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nval', 'A part that ends within its content'],
  [`--b\r\n\r\na\r\n${END}`, 'A part without a disposition'],
  [`--b\r\nContent-Disposition: attachment; name="title"\r\n\r\na\r\n${END}`, 'A disposition that is not form-data'],
  [`--b\r\nContent-Disposition: form-data\r\n\r\na\r\n${END}`, 'A disposition without a name'],
  [`${part('; name=""', 'a')}${END}`, 'An empty name'],
  [`${part('; name="title', 'a')}${END}`, 'A name whose quotes are not closed'],
  [`--b\nContent-Disposition: form-data; name="title"\n\na\n--b--\n`, 'Lines that end without a carriage return'],
  [`--b\r\nContent-Disposition form-data; name="title"\r\n\r\na\r\n${END}`, 'A header without a colon'],
  [`--b\r\n: x\r\n\r\na\r\n${END}`, 'A header without a name'],
  [`${part('; name="title"', 'a', `X-Long: ${'a'.repeat(100_000)}`)}${END}`, 'A part with a header of 100 KiB'],
  [
    `${part('; name="title"', 'a', ...Array.from({ length: 5000 }, (_, i) => `X-${i}: a`))}${END}`,
    'A part with five thousand headers',
  ],
  [`--b\r\n${'X-A: b\r\n'.repeat(20_000)}`, 'A part whose headers never end'],
  [`--b\r\nX-A: ${'b'.repeat(200_000)}`, 'A header of a part that never ends'],
  [`${part(`; name="${'n'.repeat(100_000)}"`, 'a')}${END}`, 'A name of 100,000 characters'],
  [`${TITLE}${part('; name="tags"', 'a').repeat(3000)}${END}`, 'Three thousand parts'],
  [`${TITLE}${part('; name="x"', '').repeat(3000)}${END}`, 'Three thousand unknown parts'],
  [`${'--b\r\n'.repeat(40_000)}${END}`, 'Forty thousand boundaries'],
  [`${'--b'.repeat(80_000)}`, 'Eighty thousand boundaries in one line'],
  [`${'\r\n--'.repeat(60_000)}`, 'Sixty thousand beginnings of a boundary'],
  [`${TITLE}${part('; name="title"', 'b')}${END}`, 'A name twice'],
  [`${TITLE}${part('; name="file"', 'x')}${END}`, 'A text in the place of a file'],
  [`${part('; name="title"; filename="a.txt"', 'x')}${END}`, 'A file in the place of a text'],
  [`${TITLE}${part('; name="x"', 'a')}${END}`, 'An unknown part'],
  [`${TITLE}${file('a.txt', 'x').repeat(2)}${END}`, 'Two files where there is one'],
  [`${part('; name="title"', '\xff\xfe')}${END}`, 'A text that is no UTF-8'],
  [`${part('; name="title"', 'a\0b')}${END}`, 'A text with NUL'],
  [`${part('; name="title"', 'a', 'Content-Type: text/plain; charset=utf-16')}${END}`, 'A text of another charset'],
  [`${TITLE}${part('; name="__proto__"', 'a')}${END}`, 'The prototype as a part'],
  [`${TITLE}${part('; name="__proto__[polluted]"', 'a')}${END}`, 'A property of the prototype as a part'],
  [`${TITLE}${part('; name="constructor[prototype][polluted]"', 'a')}${END}`, 'The constructor as a part'],
  [`${TITLE}${part('; name="__proto__"; filename="a"', 'a')}${END}`, 'The prototype as a file'],
  [`${TITLE}${part(`; name="a${'[b]'.repeat(3000)}"`, 'a')}${END}`, 'A name of three thousand steps'],
  [`${TITLE}${part('; name="tags[999999999]"', 'a')}${END}`, 'An index far beyond the end'],
  [`preamble that is not closed`, 'A body without any boundary'],
]

const names: readonly (readonly [string, string])[] = [
  ['../../etc/passwd', 'climbs'],
  ['..\\\\..\\\\windows\\\\win.ini', 'climbs with backslashes'],
  ['/etc/passwd', 'is absolute'],
  ['C:\\\\windows\\\\win.ini', 'has a drive'],
  ['..', 'is two dots'],
  ['.', 'is one dot'],
  ['', 'is empty'],
  ['a%2F..%2Fb', 'has escaped slashes'],
  ['a\\"b', 'has quotes in it'],
  ['a.txt\0.png', 'has NUL in it'],
  ['\xff\xfe', 'is no UTF-8'],
  ['a\u001b[31m', 'has control signs in it'],
  ['n'.repeat(10_000), 'has ten thousand characters'],
  ['con', 'is a device of another system'],
  ['=?utf-8?B?Li4vLi4v?=', 'is encoded as in mail'],
]

const rows: Row[] = [
  ...types.map(
    ([type, says]): Row => [
      says,
      upload(`${TITLE}${END}`, type),
      says.startsWith('Two b') ? [200, 400, 415] : [400, 415],
    ],
  ),
  ...broken.map(([body, says]): Row => [says, upload(body), says.includes('charset') ? [200, 400, 415] : [400, 413]]),
  ...names.map(
    ([name, says]): Row => [
      `A file whose name ${says}`,
      upload(`${TITLE}${file(name)}${END}`),
      [200, 400],
      { own: plainName },
    ],
  ),
  [
    'A file whose extended name climbs',
    upload(
      `${TITLE}${part('; name="file"; filename*=UTF-8\'\'..%2F..%2Fetc%2Fpasswd', 'x', 'Content-Type: text/plain')}${END}`,
    ),
    [200, 400],
    { own: plainName },
  ],
  [
    'A file with two names',
    upload(`${TITLE}${part('; name="file"; filename="a"; filename="../b"', 'x', 'Content-Type: text/plain')}${END}`),
    [200, 400],
    { own: plainName },
  ],
  ['A file of one byte more than allowed', upload(`${TITLE}${file('a', 'x'.repeat(64 * 1024 + 1))}${END}`), [400, 413]],
  [
    'A file that is itself a multipart body',
    upload(
      `${TITLE}${part('; name="file"; filename="a"', `--c\r\nContent-Disposition: form-data; name="title"\r\n\r\nevil\r\n--c--`, 'Content-Type: multipart/mixed; boundary=c')}${END}`,
    ),
    [200, 400],
  ],
  ['A file whose content looks like a boundary', upload(`${TITLE}${file('a', '\r\n--c\r\n--\r\n-b')}${END}`), 200],
  ['Content behind the last boundary', upload(`${TITLE}${END}${'x'.repeat(1000)}`), [200, 400]],
  ['Content before the first boundary', upload(`hello\r\n${TITLE}${END}`), [200, 400]],
  [
    'A transfer encoding in a part',
    upload(`${part('; name="title"', 'YQ==', 'Content-Transfer-Encoding: base64')}${END}`),
    [200, 400],
  ],
  ['A multipart body for an action that takes JSON', multipart('/any', `${TITLE}${END}`), [400, 415]],
  ['A multipart body of another kind', upload(`${TITLE}${END}`, 'multipart/mixed; boundary=b'), [400, 415]],
]

/** Multipart bodies. */
export const multiparts = group('MLT', 'multipart bodies', rows)
