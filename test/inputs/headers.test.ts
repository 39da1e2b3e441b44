// Header declarations: the short forms, the general form, and names without regard to case.
import { application, endpoint, header, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, askSocket, mistakesOf } from '../support/ask.ts'

/** An application with one action that declares one header and answers with what it got. */
function declaring(attribute: ReturnType<typeof header> | object) {
  const Things = endpoint('Things', {
    actions: {
      show: {
        routing: route.get('/'),
        headers: { 'X-Thing': attribute as ReturnType<typeof header> },
        responses: { ok: true },
      },
    },
  })
  const app = application({
    controllers: [Things.implement({ show: (_, { request }) => JSON.stringify(request.headers) })],
  })
  return async (value?: string, name = 'x-thing') => {
    const { status, json } = await ask(app, 'GET /things', { headers: value === undefined ? {} : { [name]: value } })
    return status === 200
      ? json['X-Thing']
      : `${status} ${json.errors.map((one: any) => `${one.in} ${one.pointer} ${one.code}`)}`
  }
}

describe('header forms', () => {
  it('[HDR-01] a name only: a required String', async () => {
    const send = declaring(header())
    expect([await send('abc'), await send('')]).toEqual(['abc', ''])
    expect(await send()).toBe('400 headers /X-Thing missing')
  })

  it('[HDR-02] a name and a type: coerced to it', async () => {
    expect(await declaring(header(t.integer()))('42')).toBe(42)
    expect(await declaring(header(t.integer()))('many')).toBe('400 headers /X-Thing type')
    expect(await declaring(header(t.integer()))()).toBe(undefined)
    expect(await declaring(header(t.boolean()))('f')).toBe(false)
    expect(await declaring(header(t.dateTime()))('2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00.000Z')
  })

  it('[HDR-03] a name and a regular expression: optional, matched in full when present', async () => {
    const send = declaring(header(/a\d+/))
    expect([await send('a12'), await send()]).toEqual(['a12', undefined])
    for (const value of ['b', 'a', 'xa12', 'a12x'])
      expect(await send(value), value).toBe('400 headers /X-Thing pattern')
    // A pattern with a memory would accept every other request.
    expect(mistakesOf(() => declaring(header(/a\d+/g)))).toMatchObject([{ setting: 'headers.X-Thing' }])
  })

  it('[HDR-04] a name and a String: equal in full when present', async () => {
    const send = declaring(header('secret'))
    expect([await send('secret'), await send()]).toEqual(['secret', undefined])
    for (const value of ['secrets', 'secre', 'Secret', ''])
      expect(await send(value), value).toBe('400 headers /X-Thing equal')
    // A text is compared, not matched.
    expect(await declaring(header('a.c'))('abc')).toBe('400 headers /X-Thing equal')
  })

  it('[HDR-05] a name, a String and required: required as well', async () => {
    const send = declaring(header('secret', { required: true }))
    expect([await send('secret'), await send(), await send('no')]).toEqual([
      'secret',
      '400 headers /X-Thing missing',
      '400 headers /X-Thing equal',
    ])
    expect(await declaring(header(/a+/, { required: true }))()).toBe('400 headers /X-Thing missing')
  })

  it('[HDR-01] a name and options: a String that is required unless they say otherwise', async () => {
    for (const one of [header({ max: 3 }), header(undefined, { max: 3 })]) {
      const send = declaring(one)
      expect([await send('abc'), await send('abcd'), await send()]).toEqual([
        'abc',
        '400 headers /X-Thing max-length',
        '400 headers /X-Thing missing',
      ])
    }
    expect(await declaring(header({ required: false, description: 'Who asks' }))()).toBe(undefined)
    expect(await declaring(header({ default: 'nobody' }))()).toBe('nobody')
    expect(await declaring(header({ values: ['a', 'b'] }))('c')).toBe('400 headers /X-Thing values')
    expect(await declaring(header({}))()).toBe('400 headers /X-Thing missing')
  })

  it('[HDR-03] [HDR-04] a pattern or a String takes the other options of a text', async () => {
    expect(await declaring(header(/a+/, { max: 2, description: 'Letters' }))('aaa')).toBe(
      '400 headers /X-Thing max-length',
    )
    expect(await declaring(header('on', { default: 'on' }))()).toBe('on')
  })

  it('options that no header has, or has twice, are refused at boot', () => {
    const problem = (one: unknown) => mistakesOf(() => declaring(one as object)).map((mistake) => mistake.problem)
    expect(problem(header({ least: 3 } as {}))).toEqual(["there is no option 'least'"])
    expect(problem(header('on', { values: ['off'] } as {}))).toHaveLength(1)
    expect(problem(header({ max: 3 } as never, { min: 1 }))).toEqual(['a header takes its options once'])
    expect(problem(header({ default: 'abcd', max: 3 }))).toEqual(['default must have at most 3 characters'])
  })

  it('[HDR-06] the general form takes a type and options', async () => {
    const send = declaring(t.integer({ required: true, min: 1, max: 9 }))
    expect([await send('5'), await send('10'), await send()]).toEqual([
      5,
      '400 headers /X-Thing max',
      '400 headers /X-Thing missing',
    ])
    expect(await declaring(t.integer({ default: 3 }))()).toBe(3)
    expect(await declaring(t.array(t.integer()))('3')).toEqual([3])
  })

  it('[HDR-07] a type and a value together are refused: by the compiler, and at boot', () => {
    // @ts-expect-error a type and options at once is not one of the short forms
    const both = header(t.integer(), { required: true })
    const boot = () => declaring(both)
    expect(mistakesOf(boot)).toMatchObject([
      { endpoint: 'Things', action: 'show', setting: 'headers.X-Thing', problem: expect.stringContaining('not both') },
    ])
  })

  it('[HDR-08] names match without regard to case', async () => {
    const send = declaring(header(t.integer()))
    for (const name of ['X-Thing', 'x-thing', 'X-THING', 'x-tHiNg']) expect(await send('7', name), name).toBe(7)
  })

  it('[HDR-08] two declarations that differ in case only are one header, and refused at boot', () => {
    const Things = endpoint('Things', {
      actionDefaults: { headers: { 'x-thing': header() } },
      actions: { show: { routing: route.get('/'), headers: { 'X-Thing': header(/a/) }, responses: { ok: true } } },
    })
    const boot = () => application({ controllers: [Things.implement({ show: () => '' })] })
    expect(mistakesOf(boot)).toMatchObject([{ endpoint: 'Things', action: 'show', setting: 'headers.X-Thing' }])
    const spaced = endpoint('Things', {
      actions: { show: { routing: route.get('/'), headers: { 'X Thing': header() }, responses: { ok: true } } },
    })
    const other = () => application({ controllers: [spaced.implement({ show: () => '' })] })
    expect(mistakesOf(other)).toMatchObject([{ setting: 'headers.X Thing', problem: 'it is not the name of a header' }])
  })

  it('[HDR-02] a header that arrives twice is refused where it is one value', async () => {
    const Things = endpoint('Things', {
      actions: { show: { routing: route.get('/'), headers: { 'X-N': header(t.integer()) }, responses: { ok: true } } },
    })
    const app = application({
      controllers: [Things.implement({ show: (_, { request }) => JSON.stringify(request.headers) })],
    })
    expect((await askSocket(app, 'GET /things', { headers: { 'x-n': ['1', '2'] as never } })).status).toBe(400)
  })
})
