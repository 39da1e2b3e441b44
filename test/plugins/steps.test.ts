// Plugins that watch single steps, and add to operations; structures read and written apart from calls.
import { setTimeout as later } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readValue, writeValue } from '../../src/client/index.ts'
import { policy } from '../../src/extend.ts'
import { application, endpoint, need, type Plugin, route, t } from '../../src/index.ts'
import { askFetch, recorder } from '../support/ask.ts'

const slow = policy({ name: 'slow', plugin: 'slow' })
const slowly: Plugin = {
  name: 'slow',
  enforce: () => ({ admission: async () => void (await later(20)), after: () => {} }),
}
const Books = endpoint('Books', {
  actions: {
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true }) },
      policies: [slow],
      needs: { clock: need(() => 1) },
      responses: { ok: 'text/plain' },
    },
    fail: { routing: route.get('/fail'), responses: { ok: 'text/plain' } },
  },
})
const books = Books.implement({
  create: async () => `${await later(5, 'made')}`,
  fail: () => {
    throw new Error('no')
  },
})

describe('a plugin that watches steps', () => {
  const watched = (more: Plugin[] = []) => {
    const seen: string[] = []
    const watch: Plugin = {
      name: 'watch',
      step(name, request) {
        const from = performance.now()
        request.state['steps'] ??= []
        return () => {
          const steps = request.state['steps'] as [string, number][]
          steps.push([name, performance.now() - from])
          seen.push(name)
        }
      },
      response: (response, request) =>
        response.set(
          'X-Steps',
          ((request.state['steps'] ?? []) as [string, number][])
            .map(([name, took]) => `${name}=${Math.round(took)}`)
            .join('; '),
        ),
    }
    return { seen, app: application({ controllers: [books], plugins: [slowly, watch, ...more], logger: recorder() }) }
  }

  it('sees the beginning and the end of each step that explain lists, with the time that it takes', async () => {
    const { app, seen } = watched()
    const answer = await askFetch(app, 'POST /books', { body: { title: 'x' } })
    expect(answer.text).toBe('made')
    expect(seen).toEqual(['slow', 'load', 'validate', 'need: clock', 'action', 'slow: after', 'write'])
    const took = Object.fromEntries((answer.headers['x-steps'] ?? '').split('; ').map((one) => one.split('=')))
    expect(Number(took['slow'])).toBeGreaterThanOrEqual(18)
    expect(Number(took['action'])).toBeGreaterThanOrEqual(4)
    expect(Number(took['slow'])).toBeLessThan(1000)
  })

  it('sees the end of steps that refuse or throw, and its own failures cost no response', async () => {
    const { app, seen } = watched([
      {
        name: 'broken',
        step: () => () => {
          throw new Error('broken')
        },
      },
    ])
    expect((await askFetch(app, 'POST /books', { body: {} })).status).toBe(400)
    expect(seen).toEqual(['slow', 'load', 'validate', 'slow: after', 'write'])
    seen.length = 0
    expect((await askFetch(app, 'GET /books/fail')).status).toBe(500)
    expect(seen).toEqual(['validate', 'action', 'write'])
  })
})

describe('responses that plugins add to operations', () => {
  it('stand next to those of the declaration, which stay', () => {
    const adding = (name: string, status: string): Plugin => ({
      name,
      operation: () => ({ responses: { [status]: { description: name }, 200: { description: 'never' } } }),
    })
    const app = application({ controllers: [books], plugins: [slowly, adding('a', '418'), adding('b', '451')] })
    const responses = app.openapi().paths['/books/fail']?.['get']?.responses as Record<string, { description: string }>
    expect([responses['418']?.description, responses['451']?.description]).toEqual(['a', 'b'])
    expect(responses['200']?.description).not.toBe('never')
  })
})

describe('structures apart from calls', () => {
  const Loan = t.object({
    due: t.date(),
    at: t.dateTime(),
    count: t.bigint(),
    notes: t.array(t.string()),
    by: t.string({ required: true }),
  })

  it('are read and written as declared, and one is the reverse of the other', () => {
    const json = { due: '2026-01-02', at: '2026-01-02T03:04:05.000Z', count: '12', notes: ['a'], by: 'Ada' }
    const value = readValue(Loan, { ...json, unknown: 1 })
    expect(value.at).toBeInstanceOf(Date)
    expect(value.count).toBe(12n)
    expect(writeValue(Loan, value)).toEqual(json)
  })

  it('are refused with the location of what does not fit', () => {
    expect(() => readValue(Loan, { by: 'Ada', notes: [1] })).toThrow(/^\/notes\/0 must be a string/)
    expect(() => readValue(Loan, {})).toThrow('/by is required')
    expect(() => readValue(Loan, null)).toThrow('The value must not be null')
  })
})
