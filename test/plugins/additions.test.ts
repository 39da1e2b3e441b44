// Additions of a plugin beside its hooks: endpoints, checks, members of documents, terms of the contract.
import { describe, expect, it } from 'vitest'
import { serve } from '../../src/adapters/node/index.ts'
import { diffContracts } from '../../src/contract/diff/diff.ts'
import type { ApiDescription, Plugin } from '../../src/extend.ts'
import { application, controller, endpoint, route, t } from '../../src/index.ts'
import { ask, mistakesOf } from '../support/ask.ts'

const Books = endpoint('Books', {
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } },
})
const books = controller(Books, { show: ({ id }) => `book ${id}` })
const Status = endpoint('Status', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })

/** Adds an endpoint, checks names, describes actions and settles a limit; tells what happens to it. */
function statistics(told: string[], most = 10): Plugin {
  let described: (() => ApiDescription) | undefined
  return {
    name: 'statistics',
    apply(options, finished) {
      described = finished
      const shown = controller(Status, { show: () => `${described?.().endpoints.length} endpoints` })
      return { ...options, controllers: [...options.controllers, shown] }
    },
    check({ name }, report) {
      if (name.length > 6) report('name', `it has ${name.length} letters`, 'use at most six')
    },
    operation: ({ name }) => ({ 'x-statistics': `count ${name}`, operationId: 'mine' }),
    document: ({ title }) => ({ 'x-statistics': { of: title }, externalDocs: { url: 'https://x.example' }, paths: {} }),
    contract: () => ({ id: { 'statistics-most': { most } } }),
    start: ({ title }) => void told.push(`start ${title}`),
    close: () => void told.push('close'),
  }
}

describe('a plugin', () => {
  it('[EXT-06] adds endpoints, which are served, routed and documented like others', async () => {
    const app = application({ controllers: [books], plugins: [statistics([])], title: 'Shop' })
    expect(await ask(app, 'GET /status')).toMatchObject({ status: 200, text: '2 endpoints' })
    expect(await ask(app, 'GET /books/1')).toMatchObject({ status: 200, text: 'book 1' })
    expect(app.routes().map(({ path }) => path)).toEqual(['/books/:id', '/status'])
    expect(Object.keys(app.openapi().paths)).toEqual(['/books/{id}', '/status'])
  })

  it('[EXT-06] adds checks of declarations', () => {
    const Novellas = endpoint('Novellas', {
      actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
    })
    const novellas = controller(Novellas, { show: () => '' })
    const mistakes = mistakesOf(() => application({ controllers: [novellas], plugins: [statistics([])] }))
    expect(mistakes).toMatchObject([{ endpoint: 'Novellas', setting: 'name', problem: 'it has 8 letters' }])
  })

  it('[EXT-06] adds members of OpenAPI documents and operations, and replaces none', () => {
    const app = application({ controllers: [books], plugins: [statistics([])], title: 'Shop' })
    const document = app.openapi()
    expect(document).toMatchObject({ 'x-statistics': { of: 'Shop' }, externalDocs: { url: 'https://x.example' } })
    expect(document.paths['/books/{id}']?.['get']).toMatchObject({
      'x-statistics': 'count show',
      operationId: 'Books.show',
    })
  })

  it('[EXT-06] adds terms of the contract, whose changes are judged', () => {
    const contractWith = (most: number) =>
      application({ controllers: [books], plugins: [statistics([], most)] }).contract()
    expect(JSON.stringify(contractWith(10))).toContain('statistics-most')
    const rules = diffContracts(contractWith(10), contractWith(5)).map(({ rule, kind }) => [rule, kind])
    expect(rules).toEqual([[expect.stringContaining('statistics-most'), 'breaking']])
    expect(diffContracts(contractWith(10), contractWith(10))).toEqual([])
  })

  it('[EXT-06] runs something when the application starts serving, and when it closes', async () => {
    const told: string[] = []
    const app = application({ controllers: [books], plugins: [statistics(told)], title: 'Shop' })
    const running = await serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false })
    expect(told).toEqual(['start Shop'])
    expect(await (await fetch(`${running.url}/books/1`)).text()).toBe('book 1')
    await running.close()
    expect(told).toEqual(['start Shop', 'close'])
  })

  it('[EXT-06] that cannot start keeps the application from being served', async () => {
    const broken: Plugin = { name: 'broken', start: () => Promise.reject(new Error('no store')) }
    const app = application({ controllers: [books], plugins: [broken] })
    await expect(app.start()).rejects.toThrow('no store')
    await expect(serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false })).rejects.toThrow('no store')
  })
})
