// Schemes of the header Authorization under any name: over HTTP, in documents, contracts, mocks, clients and imports.
import { application, endpoint, route, type SecurityScheme, security, verifier } from 'edict'
import { mock } from 'edict/mock'
import { checkApplication, testClient } from 'edict/testing'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { diffContracts } from '../../src/contract/diff/diff.ts'
import { compiled, load, type Made, made, removed } from '../import/made.ts'
import { ask, askFetch, mistakesOf } from '../support/ask.ts'
import { isOpenapi } from '../support/documents/judges.ts'
import { runs } from '../support/runs.ts'

vi.setConfig({ testTimeout: 120_000 })

const TOKEN_CHARACTERS = [..."abcdefgXYZ0189!#$%&'*+-.^_`|~"]
const name = fc
  .string({ unit: fc.constantFrom(...TOKEN_CHARACTERS), minLength: 1, maxLength: 12 })
  .filter((one) => !/^(?:basic|bearer)$/i.test(one))
const casing = fc.func(fc.boolean())
// RFC 9110, section 11.2: token68.
const token68 = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abcXYZ019-._~+/'), minLength: 1, maxLength: 30 }),
    fc.constantFrom('', '=', '=='),
  )
  .map((parts) => parts.join(''))
const quoted = fc
  .string({ unit: fc.constantFrom(...'abc ,=/:;"\\'), maxLength: 12 })
  .map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`)
const parameter = fc
  .tuple(fc.constantFrom('username', 'Credential', 'sig-1', 'nc'), fc.oneof(token68, quoted))
  .map(([key, value]) => `${key}=${/^[^"]*$/.test(value) ? value.replace(/=+$/, '') : value}`)
const parameters = fc.array(parameter, { minLength: 1, maxLength: 4 }).map((all) => all.join(', '))
const credentials = fc.oneof(token68, parameters)

const recase = (text: string, isUpper: (i: number) => boolean): string =>
  [...text].map((char, i) => (isUpper(i) ? char.toUpperCase() : char.toLowerCase())).join('')

function guarded(scheme: SecurityScheme<string, string>, given: string[] = []) {
  const Doors = endpoint('Doors', {
    actions: { show: { routing: route.get('/'), security: scheme, responses: { ok: 'text/plain' } } },
  })
  const check = verifier(scheme, (sent) => {
    given.push(sent)
    return sent
  })
  return application({ controllers: [Doors.implement({ show: () => 'in' })], verifiers: [check] })
}

describe('[FOR-07] a scheme of any name', () => {
  it('gives the verifier all that follows the name, which clients write in any case', async () => {
    await fc.assert(
      fc.asyncProperty(name, casing, credentials, fc.constantFrom(' ', '   '), async (scheme, isUpper, sent, gap) => {
        const given: string[] = []
        const app = guarded(security.http<string>('Own', { scheme }), given)
        const authorization = `${recase(scheme, isUpper)}${gap}${sent}`
        const { status } = await askFetch(app, 'GET /doors', { headers: { authorization } })
        expect([status, given]).toEqual([200, [sent]])
      }),
      { numRuns: runs(60, 1000) },
    )
  })

  it('refuses all other credentials with a challenge that names it', async () => {
    const other = fc.oneof(
      fc.constant(''),
      name,
      fc.tuple(name, token68).map((parts) => parts.join(' ')),
      token68.map((token) => `Bearer ${token}`),
      token68.map((token) => `Basic ${token}`),
    )
    await fc.assert(
      fc.asyncProperty(name, other, async (scheme, authorization) => {
        fc.pre(!authorization.toLowerCase().startsWith(`${scheme.toLowerCase()} `))
        const given: string[] = []
        const app = guarded(security.http<string>('Own', { scheme }), given)
        const answer = await askFetch(app, 'GET /doors', { headers: authorization === '' ? {} : { authorization } })
        expect([answer.status, answer.headers['www-authenticate'], given]).toEqual([401, `${scheme} realm="API"`, []])
      }),
      { numRuns: runs(60, 1000) },
    )
  })

  it('refuses two values, joined to one as well', async () => {
    const value = fc.tuple(name, credentials).map((parts) => parts.join(' '))
    await fc.assert(
      fc.asyncProperty(name, credentials, value, fc.boolean(), async (scheme, sent, other, isFirst) => {
        const given: string[] = []
        const app = guarded(security.http<string>('Own', { scheme }), given)
        const own = `${scheme} ${sent}`
        const authorization = (isFirst ? [own, other] : [other, own]).join(', ')
        const { status } = await askFetch(app, 'GET /doors', { headers: { authorization } })
        expect([status, given]).toEqual([400, []])
      }),
      { numRuns: runs(60, 1000) },
    )
  })

  it('reads hostile values in linear time', async () => {
    const app = guarded(security.http<string>('Own', { scheme: 'Token' }))
    const texts = ['"\\', '\\"', ' ,', ', a', '= ', '" , ', ',="']
    for (const text of texts) {
      const authorization = `Token a${text.repeat(Math.floor(60_000 / text.length))}b`
      const { status } = await askFetch(app, 'GET /doors', { headers: { authorization } })
      expect([200, 400], text).toContain(status)
    }
  })

  it('is the same over a socket', async () => {
    const app = guarded(security.http<string>('Own', { scheme: 'Token' }))
    const send = async (authorization: string) => (await ask(app, 'GET /doors', { headers: { authorization } })).status
    expect(await send('Token abc')).toBe(200)
    expect(await send('token a="x, y", b=1')).toBe(200)
    expect(await send('Token')).toBe(401)
    expect(await send('Tokens abc')).toBe(401)
    expect(await send('Token abc, Token abc')).toBe(400)
  })

  it('stands beside others of the header, each with its verifier', async () => {
    const Own = security.http<string>('Own', { scheme: 'Token' })
    const Bearer = security.bearer<string>('Bearer')
    const Doors = endpoint('Doors', {
      actions: { show: { routing: route.get('/'), security: [Own, Bearer], responses: { ok: 'text/plain' } } },
    })
    const app = application({
      controllers: [Doors.implement({ show: (_, { principal }) => principal })],
      verifiers: [verifier(Own, (sent) => `own ${sent}`), verifier(Bearer, (sent) => `bearer ${sent}`)],
    })
    const get = (authorization: string) => ask(app, 'GET /doors', { headers: { authorization } })
    expect((await get('TOKEN a')).text).toBe('own a')
    expect((await get('bearer a')).text).toBe('bearer a')
    expect((await get('Other a')).headers['www-authenticate']).toBe('Token realm="API", Bearer realm="API"')
    const both = mistakesOf(() =>
      application({
        controllers: [
          endpoint('Both', {
            actions: {
              show: {
                routing: route.get('/'),
                security: security.all({ Own, Bearer }),
                responses: { ok: 'text/plain' },
              },
            },
          }).implement({ show: () => 'in' }),
        ],
        verifiers: [verifier(Own, () => 'a'), verifier(Bearer, () => 'b')],
      }),
    )
    expect(JSON.stringify(both)).toContain('both in the header authorization')
  })

  it.each([
    ['', 'the name of a scheme'],
    ['To ken', 'the name of a scheme'],
    ['Token:', 'the name of a scheme'],
    ['Bearer', 'security.bearer'],
    ['BASIC', 'security.basic'],
    [undefined, 'the name of a scheme'],
    [7, 'the name of a scheme'],
  ])('%j is none, and the application does not boot', (scheme, remedy) => {
    const mistakes = mistakesOf(() => guarded(security.http<string>('Own', { scheme: scheme as string })))
    expect(JSON.stringify(mistakes)).toContain(remedy)
  })
})

const folders: Made[] = []
afterAll(() => folders.forEach(removed))

async function importOf(document: object): Promise<Made> {
  const one = await made(JSON.stringify(document), 'openapi.json')
  folders.push(one)
  return one
}

const lostSchemes = ({ unsupported }: Made) => unsupported.filter(({ pointer }) => pointer.includes('security'))

describe('[FOR-07] what is derived from a scheme', () => {
  const Own = security.http<string>('Own', { scheme: 'Token', description: 'A token.' })

  it('documents have it under its name, and are imported again as they are', async () => {
    const names = fc.sample(name, { numRuns: runs(4, 20), seed: 3 })
    for (const scheme of ['Token', 'Digest', ...names]) {
      const document = guarded(security.http<string>('Own', { scheme })).openapi()
      expect(document.components.securitySchemes).toEqual({ Own: { type: 'http', scheme } })
      expect(await isOpenapi(document)).toBe(true)
      const again = await importOf(document)
      expect(lostSchemes(again)).toEqual([])
      expect((await load(again)).openapi().components.securitySchemes).toEqual(document.components.securitySchemes)
    }
    expect(await compiled(folders.map(({ folder }) => folder))).toBe('')
  })

  it('contracts compare its name without regard to case, and another name breaks clients', () => {
    const contract = (scheme: string) => guarded(security.http<string>('Own', { scheme })).contract()
    const changes = (a: string, b: string) => diffContracts(contract(a), contract(b))
    fc.assert(
      fc.property(name, casing, (scheme, isUpper) => {
        expect(changes(scheme, recase(scheme, isUpper))).toEqual([])
      }),
      { numRuns: runs(20, 200) },
    )
    expect(changes('Token', 'Tokens').some(({ kind }) => kind === 'breaking')).toBe(true)
  })

  it('clients, mocks and the test kit use it', async () => {
    const Doors = endpoint('Doors', {
      actions: { show: { routing: route.get('/'), security: Own, responses: { ok: 'text/plain' } } },
    })
    const app = guarded(Own)
    const api = (target: typeof app, headers: Record<string, string>) => testClient(target, { Doors }, { headers })
    for (const target of [app, mock({ Doors })]) {
      expect((await api(target, { Authorization: 'token a' }).Doors.show({})).status).toBe(200)
      const refused = await api(target, { Authorization: 'Bearer a' }).Doors.show({})
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Token realm=/),
      ])
    }
    const principals = { ada: { Authorization: 'Token ada' }, bob: { Authorization: 'Token bob' } }
    // The verifier takes any token.
    const { cases } = await checkApplication(app, { principals, runs: 5, except: ['credentials'] })
    expect(cases).toHaveProperty('admission')
  })
})

describe('[FOR-07] a key in the header Authorization', () => {
  const key = (scheme?: string) =>
    security.apiKey<string>('Key', { in: 'header', name: 'Authorization', ...(scheme !== undefined && { scheme }) })

  it('is given to the verifier without the name of its scheme, if that is declared', async () => {
    const get = async (scheme: string | undefined, authorization: string) => {
      const given: string[] = []
      const answer = await ask(guarded(key(scheme), given), 'GET /doors', { headers: { authorization } })
      return [answer.status, given[0] ?? answer.headers['www-authenticate']]
    }
    expect(await get('Token', 'Token abc')).toEqual([200, 'abc'])
    expect(await get('Token', 'token abc')).toEqual([200, 'abc'])
    expect(await get('Token', 'abc')).toEqual([401, 'Token realm="API"'])
    expect(await get('Token', 'Token abc, Token def')).toEqual([400, undefined])
    expect(await get(undefined, 'Token abc')).toEqual([200, 'Token abc'])
  })

  it('stays a key in documents, which tell how it is sent, and its prefix is part of the contract', () => {
    const said = (scheme?: string) => guarded(key(scheme)).openapi().components.securitySchemes?.['Key']
    expect(said()).toEqual({ type: 'apiKey', in: 'header', name: 'Authorization' })
    expect(said('Token')).toEqual({ ...said(), description: 'The header is `Token`, a space, and the key.' })
    const changes = diffContracts(guarded(key('Token')).contract(), guarded(key('Other')).contract())
    expect(changes.some(({ kind }) => kind === 'breaking')).toBe(true)
    expect(diffContracts(guarded(key('Token')).contract(), guarded(key('TOKEN')).contract())).toEqual([])
  })

  it('takes no scheme anywhere else', () => {
    for (const place of [{ in: 'header', name: 'X-Key' } as const, { in: 'query', name: 'Authorization' } as const]) {
      const mistakes = mistakesOf(() => guarded(security.apiKey<string>('Key', { ...place, scheme: 'Token' })))
      expect(JSON.stringify(mistakes)).toContain('only the header Authorization')
    }
  })

  it('is imported from a document', async () => {
    const paths = { '/x': { get: { security: [{ Key: [] }], responses: { 200: { description: 'It is.' } } } } }
    const securitySchemes = { Key: { type: 'apiKey', in: 'header', name: 'Authorization' } }
    const info = { title: 'Any', version: '1' }
    const one = await importOf({ openapi: '3.1.0', info, paths, components: { securitySchemes } })
    expect(lostSchemes(one)).toEqual([])
    expect((await load(one)).openapi().components.securitySchemes).toEqual(securitySchemes)
  })
})
