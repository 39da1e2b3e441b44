// Patterns of settings: wherever a declaration or a plugin takes a RegExp, it matches the whole of a value or nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { application, endpoint, header, route, t } from '../../src/index.ts'
import { cors } from '../../src/plugins/cors/index.ts'
import { askFetch, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

/** Tells whether a setting with a pattern takes a value. */
type Setting = (pattern: RegExp, value: string) => Promise<boolean>

/** One action; what it answers with is up to the setting. */
const single = (action: object, run: (context: any) => unknown, options: object = {}) => {
  const Things = endpoint('Things', { actions: { get: { routing: route.get('/'), ...action } } } as never)
  const implementation = { get: (_: unknown, context: any) => run(context) }
  return application({ logger: recorder(), ...options, controllers: [Things.implement(implementation as never)] })
}

const settings: Record<string, Setting> = {
  async 'cors({ origins })'(pattern, value) {
    const app = single({ responses: { noContent: true } }, ({ reply }) => reply.noContent(), {
      plugins: [cors({ origins: [pattern] })],
    })
    const { headers } = await askFetch(app, 'GET /things', { headers: { origin: `https://${value}` } })
    return headers['access-control-allow-origin'] === `https://${value}`
  },
  async 'headers of a response'(pattern, value) {
    const responses = { noContent: { headers: { 'X-Value': pattern } } }
    const app = single({ responses }, ({ reply }) => reply.noContent(undefined, { headers: { 'X-Value': value } }))
    return (await askFetch(app, 'GET /things')).status === 204
  },
  async 'location of a response'(pattern, value) {
    const app = single({ responses: { created: { location: pattern } } }, ({ reply }) =>
      reply.created(undefined, { location: value }),
    )
    return (await askFetch(app, 'GET /things')).status === 201
  },
  async 'header(…) of a request'(pattern, value) {
    const app = single({ headers: { 'X-Value': header(pattern) }, responses: { noContent: true } }, ({ reply }) =>
      reply.noContent(),
    )
    return (await askFetch(app, 'GET /things', { headers: { 'X-Value': value } })).status === 204
  },
  async 'the pattern of a param'(pattern, value) {
    const app = single({ params: { value: t.string({ pattern }) }, responses: { noContent: true } }, ({ reply }) =>
      reply.noContent(),
    )
    return (await askFetch(app, `GET /things?value=${encodeURIComponent(value)}`)).status === 204
  },
  async 'the capture of a route'(pattern, value) {
    const routing = route.get('/:value', { capture: { value: pattern } })
    const app = single({ routing, params: { value: t.string() }, responses: { noContent: true } }, ({ reply }) =>
      reply.noContent(),
    )
    return (await askFetch(app, `GET /things/${encodeURIComponent(value)}`)).status === 204
  },
}

const WORDS = ['shop', 'green', 'greenish', 'evil', 'a.b', 'shop.example', 'shop.example.evil.com']
const word = fc.constantFrom(...WORDS)
const escaped = (text: string): string => text.replaceAll('.', '\\.')
// Every branch may have its own anchors: `^shop|evil$` is anchored at both ends, and yet takes parts when it is searched.
const branch = fc
  .tuple(fc.constantFrom('', '^'), word, fc.constantFrom('', '$', '+', '(?:\\.evil)?', '.*'))
  .map(([start, text, end]) => `${start}${escaped(text)}${end}`)
const source = fc.array(branch, { minLength: 1, maxLength: 3 }).map((all) => all.join('|'))
const value = fc
  .tuple(fc.constantFrom('', 'x', 'evil.'), word, fc.constantFrom('', '.com', 'x', '.evil'))
  .map((all) => all.join(''))

describe.each(Object.entries(settings))('%s', (name, takes) => {
  const isOrigin = name.startsWith('cors')

  it('takes what its pattern matches as a whole, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(source, value, async (given, text) => {
        const pattern = new RegExp(isOrigin ? `https://(?:${given.replaceAll('^', '')})` : given)
        const whole = new RegExp(`^(?:${pattern.source})$`)
        expect(await takes(pattern, text), `${pattern} on ${text}`).toBe(
          whole.test(isOrigin ? `https://${text}` : text),
        )
      }),
      { numRuns: runs(40, 1500) },
    )
  })

  it('does not take a part of a value, whichever branch of the pattern is anchored', async () => {
    const prefix = isOrigin ? 'https:\\/\\/' : ''
    const branches = new RegExp(`^${prefix}shop\\.example|evil$`)
    expect(await takes(branches, 'shop.example')).toBe(true)
    expect(await takes(branches, 'shop.example.evil.com')).toBe(false)
    expect(await takes(branches, 'some.evil')).toBe(false)
    expect(await takes(new RegExp(`${prefix}(?:green|black)`), 'greenish')).toBe(false)
    expect(await takes(new RegExp(`${prefix}green`, 'i'), 'greenish')).toBe(false)
  })
})
