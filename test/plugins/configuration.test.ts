// Bad configuration: each is refused at boot with its remedy, which `edict check` prints, or bounded at run time.
import { conditional, etag } from 'edict/conditional'
import { cors } from 'edict/cors'
import { idempotency, idempotent } from 'edict/idempotency'
import { rateLimit, rateLimits } from 'edict/rate-limit'
import { memoryStore, redisStore } from 'edict/stores'
import { beforeAll, describe, expect, it } from 'vitest'
import { application, endpoint, type Plugin, type Policy, route } from '../../src/index.ts'
import { ask, mistakesOf, recorder } from '../support/ask.ts'
import { compile, edict, project } from '../support/project.ts'

/** An application with some plugins and policies. */
function library(plugins: readonly Plugin[], policies: readonly Policy[] = []) {
  const Books = endpoint('Books', {
    actions: { create: { routing: route.post('/'), policies, responses: { created: 'text/plain' } } },
  })
  const books = Books.implement({ create: (_, { reply }) => reply.created('one') })
  return application({ controllers: [books], plugins, logger: recorder() })
}

const limit = (given: object = {}): Policy => rateLimit({ limit: 1, per: '1m', by: 'address', ...given })

const first: Plugin = { name: 'first', excludes: ['second'] }
const second: Plugin = { name: 'second' }

const refused: [what: string, boot: () => unknown, told: RegExp][] = [
  ['a limit of 0', () => library([rateLimits(memoryStore())], [limit({ limit: 0 })]), /limit.*0.*Remedy: .*1/s],
  [
    'credentials for every origin',
    () => library([cors({ origins: '*', credentials: true })]),
    /browsers refuse credentials.*Remedy: /s,
  ],
  [
    'a limit without its plugin',
    () => library([], [limit()]),
    /needs the plugin rate-limit.*Remedy: add rateLimits\(store\)/s,
  ],
  [
    'a tag without its plugin',
    () => library([], [etag('body')]),
    /needs the plugin conditional.*Remedy: add conditional\(\)/s,
  ],
  [
    'a key without its plugin',
    () => library([], [idempotent({ keep: '1h' })]),
    /needs the plugin idempotency.*Remedy: /s,
  ],
  [
    'a plugin that excludes another',
    () => library([first, second]),
    /'first' and 'second' exclude each other.*Remedy: remove one of them/s,
  ],
  ['the same, the other way round', () => library([second, first]), /'first' and 'second' exclude each other/],
  [
    'plugins that want to run before each other',
    () =>
      library([
        { name: 'a', before: ['b'] },
        { name: 'b', before: ['a'] },
      ]),
    /must each run before the other.*Remedy: /s,
  ],
  ['a plugin twice', () => library([conditional(), conditional()]), /registered twice.*Remedy: register it once/s],
  ['a plugin without the one it needs', () => library([{ name: 'a', requires: ['b'] }]), /'a' needs 'b'.*Remedy: /s],
  [
    'something that is no store',
    () => library([rateLimits({} as never)], [limit()]),
    /rateLimits: it is an object\. Remedy: give a store, such as memoryStore/,
  ],
  [
    'a lease that is shorter than requests may take',
    () => library([idempotency(memoryStore(), { lease: '2s' })]),
    /requests may take 30000 ms.*Remedy: give a longer time/s,
  ],
]

describe('bad configuration', () => {
  it.each(refused)('is refused at boot with its remedy: %s', (_, boot, told) => {
    const mistakes = mistakesOf(boot)
    const texts = mistakes
      .map(({ setting, problem, remedy }) => `${setting}: ${problem}. Remedy: ${remedy}.`)
      .join('\n')
    expect(texts).toMatch(told)
  })

  it('has plugins that exclude each other only where both are there', () => {
    expect(mistakesOf(() => library([first]))).toEqual([])
  })

  it('with a store that never responds ends in a 503 that says when to come back', async () => {
    const silent = redisStore({ call: () => new Promise(() => undefined) } as never, { timeout: 20 })
    for (const [plugin, policy] of [
      [rateLimits(silent), limit()],
      [idempotency(silent), idempotent({ keep: '1h', required: true })],
    ] as const) {
      const app = library([plugin], [policy])
      const answer = await ask(app, 'POST /books', { headers: { 'idempotency-key': 'a' } })
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    }
  })
})

describe('edict check', () => {
  let folder: string
  beforeAll(async () => {
    await compile()
    folder = project('configuration', {
      'app.js': `
import { application, endpoint, route } from 'edict'
import { cors } from 'edict/cors'
import { rateLimit } from 'edict/rate-limit'
const policies = [rateLimit({ limit: 0, per: '1m', by: 'address' })]
const Books = endpoint('Books', { actions: { show: { routing: route.get('/'), policies, responses: { ok: 'text/plain' } } } })
export const app = application({
  controllers: [Books.implement({ show: () => 'x' })],
  plugins: [cors({ origins: '*', credentials: true }), { name: 'first', excludes: ['second'] }, { name: 'second' }],
})
`,
    })
  }, 120_000)

  it('prints all of them at once', async () => {
    const { code, stderr } = await edict(folder, 'check')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The application has 4 mistakes in its declarations:\n/)
    expect(stderr.match(/Remedy: /g)).toHaveLength(4)
  })
})
