// Documents before judges of others: every one is valid, its examples hold, and its paths lead to the actions they name.
import { DefinitionError, mediaType, problemEncoder, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { openDatabase } from '../../examples/blog/database.ts'
import type { Operation } from '../../src/openapi/types.ts'
import { type Documents, examine, isOpenapi, lint } from '../support/documents/judges.ts'
import { Half, Hidden, Locked, Things } from '../support/documents/kitchen-sink.ts'
import { definitions } from '../support/documents/random.ts'
import { operationsOf, requestsOf, send, type Written, withCredentials } from '../support/documents/requests.ts'
import { type Stub, stub } from '../support/documents/stubs.ts'
import { Books, Reviews } from '../support/library/design.ts'
import { runs } from '../support/runs.ts'

const xml = problemEncoder('application/xml', (problem) => ({ body: `<failed>${JSON.stringify(problem)}</failed>` }))
const json = problemEncoder(
  mediaType('Failure', { attributes: { failed: t.string({ required: true }), of: t.string() } }),
  ({ title, status }, { action }) => ({
    status: status === 415 ? 422 : status,
    headers: { 'X-Failed': 'yes' },
    body: { failed: title, ...(action && { of: action.endpoint }) },
  }),
)

const stubs: Readonly<Record<string, Stub>> = {
  library: stub([Books, Reviews]),
  sink: stub([Things, Locked, Hidden, Half]),
  'by-path': stub([Things, Locked], { versionWith: ['path'], basePath: '/deep/api', encodeProblem: xml }),
  'by-header': stub([Things, Locked], { versionWith: ['header'], validation: { status: 422 } }),
  'by-params': stub([Things, Locked], { versionWith: ['query'], encodeProblem: json }),
}

/** How many APIs are made up. */
const APIS = runs(40, 250)

// The same ones in every run, so that a document that fails can be looked at.
const random = fc.sample(definitions, { numRuns: APIS, seed: 20 }).flatMap((some): Stub[] => {
  // Routes that no request can tell apart are refused.
  try {
    return [stub(some)]
  } catch (error) {
    if (error instanceof DefinitionError) return []
    throw error
  }
})

const documentsOf = (name: string, { app }: Pick<Stub, 'app'>): Documents =>
  Object.fromEntries(
    app.versions.map((version) => [`${name}-${version?.replace(/\W/g, '-') ?? 'none'}`, app.openapi(version)]),
  )

const blog = { app: blogApi(openDatabase()) as never }
const all: Documents = Object.assign(
  {},
  documentsOf('blog', blog),
  ...Object.entries(stubs).map(([name, one]) => documentsOf(name, one)),
  ...random.map((one, i) => documentsOf(`random${i}`, one)),
)

describe('every document', () => {
  it('[DOC-04] is there, one for each version of an API', () => {
    expect(random.length).toBeGreaterThan(APIS * 0.65)
    expect(Object.keys(all).filter((name) => name.startsWith('blog'))).toEqual(['blog-1-0', 'blog-none', 'blog-2-0'])
    expect(Object.keys(all).length).toBeGreaterThan(APIS * 0.75)
  })

  it('[DOC-04] passes the linter of others', { timeout: 300_000 }, async () => {
    expect(await lint(all)).toEqual([])
  })

  it('[DOC-04] is OpenAPI 3.1 by its official schema, and each schema in it is one of its dialect', {
    timeout: 120_000,
  }, async () => {
    for (const [name, document] of Object.entries(all)) expect(await isOpenapi(document), name).toBe(true)
    const broken = { ...all['library-none'], openapi: '3.1.1', paths: { nowhere: { get: { responses: { 999: 1 } } } } }
    expect(await isOpenapi(broken as never)).toBe(false)
  })

  it('[DOC-04] has examples that hold', { timeout: 120_000 }, () => {
    let total = 0
    // The linter looks at all of them; this is a second opinion.
    for (const [name, document] of Object.entries(all).filter(([name]) => !/^random\d\d/.test(name))) {
      const { problems, count } = examine(document)
      expect(problems, name).toEqual([])
      total += count
    }
    expect(total).toBeGreaterThan(1000)
  })

  it('[DOC-01] is the same every time it is requested', () => {
    for (const { app } of [...Object.values(stubs), ...random.slice(0, 20)]) {
      for (const version of app.versions)
        expect(JSON.stringify(app.openapi(version))).toBe(JSON.stringify(app.openapi(version)))
    }
  })

  it('[DOC-04] names every operation once, in letters that addresses can have', () => {
    for (const [name, document] of Object.entries(all)) {
      const ids = operationsOf(document).map(({ operation }) => operation.operationId)
      expect(new Set(ids).size, name).toBe(ids.length)
      for (const id of ids) expect(encodeURIComponent(id)).toBe(id)
    }
  })
})

describe('the requests of a document', () => {
  for (const [name, { app, reached }] of Object.entries(stubs)) {
    it.each(['all', 'required'] as const)(
      `[DOC-01] reach their actions: ${name}, with %s that may be sent`,
      async (which) => {
        for (const { request, operation, answer } of await exchanges(app, which)) {
          const [, endpoint, action] = /^([^.]+)\.([^.]+)/.exec(operation.operationId) ?? []
          const text = `${request.method} ${request.url} ${request.type}: ${answer.status} ${await answer.text()}`
          expect(reached.shift(), text).toBe(`${endpoint}.${action}`)
        }
        expect(reached).toEqual([])
      },
    )
  }

  it('[DOC-01] are served at every path, whatever was declared', { timeout: 120_000 }, async () => {
    let sent = 0
    for (const { app } of random) {
      for (const { request, operation, answer } of await exchanges(app, 'required')) {
        // Of two actions at one path, each takes its own bodies only, and the document has those of both.
        const isOne = !operation.description?.includes('Where the path has another form')
        const misses = isOne ? [404, 405, 406, 415] : [404, 405, 406]
        expect(misses, `${request.method} ${request.url} ${request.type}`).not.toContain(answer.status)
        sent++
      }
    }
    expect(sent).toBeGreaterThan(APIS * 2)
  })
})

interface Exchanged {
  readonly request: Written
  readonly operation: Operation
  readonly answer: Response
}

/** Sends every request that the documents of an application describe. */
async function exchanges(app: Stub['app'], which: 'all' | 'required'): Promise<Exchanged[]> {
  const made: Exchanged[] = []
  for (const version of app.versions) {
    const document = app.openapi(version)
    for (const located of operationsOf(document)) {
      const { operation } = located
      for (const { url } of document.servers) {
        // Where the path has no version, one of the other carriers is needed.
        const needsCarrier = version !== undefined && !url.includes('/v')
        for (const plain of requestsOf(url, located, needsCarrier ? 'all' : which)) {
          const request = withCredentials(plain, operation, document)
          made.push({ request, operation, answer: await send(app, request) })
        }
      }
    }
  }
  return made
}
