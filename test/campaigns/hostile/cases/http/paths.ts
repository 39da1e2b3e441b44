// Paths: traversal through wildcards and captures, strange targets, and targets that are too long.
import { group, type Row } from '../../case.ts'
import { get } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

/** Complains when the answer has more than the two files that there are. */
function stays({ answers: [answer] }: Seen): string | undefined {
  if (answer?.status !== 200) return undefined
  const text = answer.body.toString()
  return /^(?:a file|a deeper file|ok|\{.*\})$/s.test(text)
    ? undefined
    : `it serves ${JSON.stringify(text.slice(0, 60))}`
}

const climbs = [
  ['../../../../etc/passwd', 'Dots that climb to a file of the system'],
  ['..%2F..%2F..%2Fetc%2Fpasswd', 'Dots with escaped slashes'],
  ['%2e%2e/%2e%2e/etc/passwd', 'Escaped dots'],
  ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'Escaped dots with escaped slashes'],
  ['..%252f..%252fetc%252fpasswd', 'Slashes that are escaped twice'],
  ['..%c0%af..%c0%afetc/passwd', 'Dots with overlong slashes'],
  ['..%5c..%5cwindows%5cwin.ini', 'Dots with backslashes'],
  ['..\\..\\windows\\win.ini', 'Dots with raw backslashes'],
  ['....//....//etc/passwd', 'Four dots, which a careless filter makes two of'],
  ['..;/..;/etc/passwd', 'Dots with parameters of a segment'],
  ['.%00./.%00./etc/passwd', 'Dots with NUL between them'],
  ['/etc/passwd', 'An absolute path behind the prefix'],
  ['//etc/passwd', 'Two slashes and an absolute path'],
  ['C:/windows/win.ini', 'A path with a drive'],
  ['C%3A%5Cwindows%5Cwin.ini', 'An escaped path with a drive'],
  ['file:///etc/passwd', 'A URL in the place of a path'],
  ['deep/../a.txt', 'Dots that stay inside'],
  ['deep/../../files/a.txt', 'Dots that leave and come back'],
  ['./a.txt', 'A single dot'],
  ['a.txt/', 'A file as if it were a folder'],
  ['a.txt%2e', 'A dot behind the name'],
  ['a.txt%20', 'A space behind the name'],
  ['a.txt::$DATA', 'A stream of another file system'],
  ['~root/.ssh/id_rsa', 'The home of somebody'],
  ['.git/config', 'A hidden folder'],
  ['%EF%BC%8E%EF%BC%8E/etc/passwd', 'Wide dots that some systems take for dots'],
  ['%E2%80%A5/etc/passwd', 'One sign of two dots'],
] as const

const rows: Row[] = [
  ...climbs.map(
    ([path, says]): Row => [`${says} in a wildcard`, get(`/files/${path}`), [200, 400, 404], { safe: stays }],
  ),
  ['Dots in a capture', get('/echo/..'), [200, 400, 404]],
  ['Dots that lead from one route to another', get('/items/../health'), [200, 400, 404]],
  ['Slashes without names', get('//////'), [400, 404]],
  [
    'Two slashes before a path',
    get('//health'),
    [200, 404],
    { own: ({ answers }) => (answers[0]?.status === 404 ? undefined : 'another path is taken for this one') },
  ],
  ['A slash behind a path', get('/health/'), [200, 404]],
  ['A path in capitals', get('/HEALTH'), 404],
  ['Parameters of a segment', get('/health;jsessionid=1'), [200, 404]],
  ['The absolute form of a target', get('http://localhost/health'), 200, { anyone: [200, 400, 404] }],
  ['The absolute form with another host', get('http://evil.invalid/health'), [200, 400, 404]],
  ['The absolute form with a user', get('http://a:b@localhost/health'), [200, 400, 404]],
  ['The absolute form without a path', get('http://localhost'), [400, 404]],
  ['The absolute form of another scheme', get('ftp://localhost/health'), [400, 404]],
  ['The absolute form with an empty host', get('http:///health'), [200, 400, 404]],
  ['The absolute form with a port that is none', get('http://localhost:99999/health'), [200, 400, 404]],
  ['An address of IPv6 that is not closed', get('http://[::1/health'), [200, 400, 404]],
  ['A target that is a word', get('health'), [400, 404]],
  ['A target that is a star', get('*'), [400, 404]],
  ['A fragment', get('/health#fragment'), [200, 400, 404]],
  ['An empty query', get('/search?'), 200],
  ['A query of question marks', get('/search???'), [200, 400]],
  ['Names of built-in properties as a path', get('/__proto__/constructor'), 404],
  ['A built-in property as a capture', get('/items/__proto__'), [400, 404]],
  ['A wildcard of two thousand segments', get(`/files/${'a/'.repeat(2000)}`), [400, 404]],
  ['A capture of five thousand characters', get(`/echo/${'a'.repeat(5000)}`), [400, 404, 414]],
  ['A path of two thousand captures', get(`/items${'/1'.repeat(2000)}`), [400, 404]],
  ['A capture of an integer with four thousand digits', get(`/items/${'9'.repeat(4000)}`), [400, 404, 414]],
]

/** Paths. */
export const paths = group('PTH', 'paths and traversal', rows)
