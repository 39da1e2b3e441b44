// The bounds of settings: the least and the greatest that each takes, and what is refused one step beyond them.
import { type ApplicationOptions, application, endpoint, type Plugin, type Policy, route, security } from 'edict'
import { cacheControl } from 'edict/cache'
import { compression } from 'edict/compression'
import { cors } from 'edict/cors'
import { drift } from 'edict/drift'
import { health } from 'edict/health'
import { idempotency, idempotent } from 'edict/idempotency'
import { jwt } from 'edict/jwt'
import { lambdaHandler } from 'edict/lambda'
import { pagination } from 'edict/pagination'
import { prometheus } from 'edict/prometheus'
import { forwardedFor, rateLimit, rateLimits } from 'edict/rate-limit'
import { session, sessions } from 'edict/sessions'
import { memoryStore, postgresStore, redisStore } from 'edict/stores'
import { describe, expect, it } from 'vitest'
import { checkServeArguments } from '../../src/adapters/node/serve-option-forms.ts'
import { t } from '../../src/index.ts'
import { mistakesOf, recorder } from '../support/ask.ts'

/** The settings that boot names as mistaken. */
function mistaken(options: Partial<ApplicationOptions>, policies: readonly Policy[] = []): readonly string[] {
  const Things = endpoint('Things', {
    actions: { show: { routing: route.get('/'), policies, responses: { ok: 'text/plain' } } },
  })
  return mistakesOf(() =>
    application({ controllers: [Things.implement({ show: () => '' })], logger: recorder(), ...options }),
  ).map(({ setting }) => setting)
}

const ofPlugin = (make: (value: never) => Plugin) => (value: unknown) =>
  mistaken({ plugins: [make(value as never)] }).length === 0
const ofPolicy = (make: (value: never) => Policy, plugin?: () => Plugin) => (value: unknown) =>
  mistaken({ plugins: plugin === undefined ? [] : [plugin()] }, [make(value as never)]).length === 0
const ofApplication = (options: (value: never) => Partial<ApplicationOptions>) => (value: unknown) =>
  mistaken(options(value as never)).length === 0
const ofCall = (call: (value: never) => unknown) => (value: unknown) => {
  try {
    call(value as never)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

const Token = security.bearer<string>('Token')
const Session = session('Session', { data: t.object({}) })
const jwtWith = (more: object) =>
  jwt(Token, { issuer: 'https://a.example', audience: 'a', principal: () => 'x', ...more })
const sessionsWith = (more: object) => sessions(Session, { store: memoryStore(), ...more })
const served = (more: object) => checkServeArguments({ handle() {} }, more)
const limits = () => rateLimits(memoryStore())
const keys = () => idempotency(memoryStore())
const limited = (more: object) => rateLimit({ limit: 1, per: '1s', by: 'address', ...more })
const LONGEST = 2 ** 31 - 1
const SAFE = Number.MAX_SAFE_INTEGER

type Row = readonly [name: string, fits: (value: unknown) => boolean, fine: readonly unknown[], not: readonly unknown[]]

const rows: readonly Row[] = [
  ['rateLimit limit', ofPolicy((limit) => limited({ limit }), limits), [1, 2, SAFE], [0, -1, 1.5]],
  [
    'rateLimit per',
    ofPolicy((per) => limited({ per }), limits),
    [1000, '1s', '1000ms', 2000, '1d'],
    [999, 1001, '999ms', '0s', 1500],
  ],
  ['idempotent keep', ofPolicy((keep) => idempotent({ keep }), keys), [1000, '1s', 1001], [999, '999ms', 0]],
  [
    'idempotency lease, against a timeout of 5 s',
    ofApplication((lease) => ({ timeout: 5000, plugins: [idempotency(memoryStore(), { lease })] })),
    [5001, '6s'],
    [4999, 5000, '5s'],
  ],
  [
    'idempotency lease, without a timeout',
    ofApplication((lease) => ({ timeout: 0, plugins: [idempotency(memoryStore(), { lease })] })),
    [],
    [1000, '1d'],
  ],
  [
    'idempotency lease, against a timeout of 1 ms',
    ofApplication((lease) => ({ timeout: 1, plugins: [idempotency(memoryStore(), { lease })] })),
    [1000, '1s'],
    [999, 2],
  ],
  ...(['maxAge', 'sharedMaxAge', 'staleWhileRevalidate', 'staleIfError'] as const).map(
    (name): Row => [
      `cacheControl ${name}`,
      ofPolicy((value) => cacheControl({ [name]: value })),
      [0, 1, 31_536_000],
      [-1, 0.5],
    ],
  ),
  ['cors maxAge', ofPlugin((maxAge) => cors({ origins: '*', maxAge })), [0, 1, 86_400], [-1, 0.5]],
  ['compression threshold', ofPlugin((threshold) => compression({ threshold })), [0, 1], [-1, 0.5]],
  ['drift findings', ofPlugin((findings) => drift({ findings })), [1, 2], [0, -1, 1.5]],
  ['drift sample', ofPlugin((sample) => drift({ sample })), [Number.MIN_VALUE, 0.5, 1], [0, -0.1, 1.001]],
  ['health timeout', ofPlugin((timeout) => health({ timeout })), [1, '1ms'], [0, '0s', -1]],
  ['health keep', ofPlugin((keep) => health({ keep })), [0, '0s', 1], [-1]],
  [
    'health timeout of one check',
    ofPlugin((timeout) => health({ checks: { a: { check: () => true, timeout } } })),
    [1],
    [0],
  ],
  ['health keep of one check', ofPlugin((keep) => health({ checks: { a: { check: () => true, keep } } })), [0], [-1]],
  [
    'prometheus buckets',
    ofPlugin((buckets) => prometheus({ buckets })),
    [[0.001], [0.1, 0.2], [Number.MIN_VALUE, 1]],
    [[], [0], [-1, 1], [0.2, 0.2], [0.2, 0.1], [1, Number.POSITIVE_INFINITY], [Number.NaN]],
  ],
  [
    'pagination maxItems',
    ofPlugin((maxItems) => pagination({ maxItems, defaultPageSize: 1 })),
    [1, Number.POSITIVE_INFINITY],
    [0, -1, 1.5],
  ],
  ['pagination defaultPageSize', ofPlugin((defaultPageSize) => pagination({ defaultPageSize })), [1, 2], [0, -1, 1.5]],
  [
    'pagination defaultPageSize, with maxItems of 5',
    ofPlugin((defaultPageSize) => pagination({ maxItems: 5, defaultPageSize })),
    [4, 5],
    [6],
  ],
  ['jwt maxLength', ofCall((maxLength) => jwtWith({ maxLength })), [1], [0]],
  ['jwt timeout', ofCall((timeout) => jwtWith({ timeout })), [1], [0]],
  ['jwt clockTolerance', ofCall((clockTolerance) => jwtWith({ clockTolerance })), [0, '0s'], [-1]],
  ['jwt cooldown', ofCall((cooldown) => jwtWith({ cooldown })), [0], [-1]],
  ['jwt maxAge', ofCall((maxAge) => jwtWith({ maxAge })), [0], [-1]],
  ['sessions lifetime', ofCall((lifetime) => sessionsWith({ lifetime })), [1000, '1s', 2000], [999, 1001, 0]],
  ['sessions secrets', ofCall((length) => sessionsWith({ secrets: ['x'.repeat(length)] })), [32, 33], [0, 31]],
  ['memoryStore counters', ofCall((counters) => memoryStore({ counters })), [1], [0]],
  ['memoryStore values', ofCall((values) => memoryStore({ values })), [1], [0]],
  ['memoryStore characters', ofCall((characters) => memoryStore({ characters })), [1], [0]],
  ['redisStore timeout', ofCall((timeout) => redisStore(async () => null, { timeout })), [1], [0]],
  ['postgresStore timeout', ofCall((timeout) => postgresStore((async () => []) as never, { timeout })), [1], [0]],
  ['forwardedFor', ofCall((hops) => forwardedFor(hops)), [1, 2], [0, -1, 1.5]],
  ['lambdaHandler margin', ofCall((margin) => lambdaHandler({ handle() {} } as never, { margin })), [0, 1], [-1, 0.5]],
  ['limits.body', ofApplication((body) => ({ limits: { body } })), [1], [0]],
  ['limits.queryPairs', ofApplication((queryPairs) => ({ limits: { queryPairs } })), [1], [0]],
  ['limits.queryDepth', ofApplication((queryDepth) => ({ limits: { queryDepth } })), [1], [0]],
  ['timeout', ofApplication((timeout) => ({ timeout })), [0, 1, LONGEST], [-1, LONGEST + 1, Number.NaN]],
  [
    'validateResponses',
    ofApplication((validateResponses) => ({ validateResponses })),
    [Number.MIN_VALUE, 1],
    [0, -0.1, 1.001],
  ],
  ['serve port', ofCall((port) => served({ port })), [0, 1, 65_535], [-1, 65_536, 1.5]],
  ['serve backlog', ofCall((backlog) => served({ backlog })), [0, 1], [-1]],
  ['serve workers', ofCall((workers) => served({ workers })), [1, 'auto'], [0]],
  ['serve maxHeaderSize', ofCall((maxHeaderSize) => served({ maxHeaderSize })), [1], [0]],
  ...(['maxRequests', 'maxPipelined', 'maxReceiving', 'maxConnections', 'maxDelay'] as const).map(
    (name): Row => [`serve ${name}`, ofCall((value) => served({ [name]: value })), [0, 1], [-1]],
  ),
  ...(['headers', 'request', 'response', 'keepAlive', 'drain'] as const).map(
    (name): Row => [
      `serve timeouts.${name}`,
      ofCall((value) => served({ timeouts: { [name]: value } })),
      [0, 1, LONGEST],
      [-1, LONGEST + 1],
    ],
  ),
]

describe('a setting at its bounds', () => {
  it.each(rows)('%s', (_, fits, fine, not) => {
    expect([...fine, ...not].map((value) => [value, fits(value)])).toEqual([
      ...fine.map((value) => [value, true]),
      ...not.map((value) => [value, false]),
    ])
  })
})
