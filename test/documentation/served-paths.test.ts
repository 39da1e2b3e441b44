// Documents of generated routes that overlap: each request is served by an action that the operation of its path names, and
// every operation names one that serves a path of its form.
import { type Application, application, DefinitionError, endpoint, route, t } from 'edict'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { askFetch } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

// Mostly one verb and few forms, so that many routes overlap.
const VERBS = ['get', 'get', 'get', 'post', 'any'] as const
const PATHS = ['', '/x', '/:id', '/:name', '(/:id)', '(/:name)', '/x(/:id)', '/x/:name', '/:id/y', '/*', 'x'] as const
/** What captures stand for in requests. */
const TEXTS = ['12', 'ada', 'x', 'y'] as const

interface Declared {
  readonly verb: (typeof VERBS)[number]
  readonly path: (typeof PATHS)[number]
  readonly isConstrained: boolean
  readonly isHidden: boolean
}

const declared: fc.Arbitrary<Declared> = fc.record({
  verb: fc.constantFrom(...VERBS),
  path: fc.constantFrom(...PATHS),
  isConstrained: fc.boolean(),
  isHidden: fc.boolean(),
})

/** Makes an application whose actions respond with their names; undefined if its routes do not boot. */
function makeApplication(prefix: string, all: readonly Declared[]): Application | undefined {
  const actions = all.map(({ verb, path, isConstrained, isHidden }, i) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
    const options = isConstrained && names.includes('id') ? { capture: { id: /\d+/ } } : {}
    const params = Object.fromEntries(
      [...names, ...(path.includes('*') ? ['splat'] : [])].map((name) => [name, t.any()]),
    )
    const routing = route[verb](path as '/', options as never)
    return [`a${i}`, { routing, params, nodoc: isHidden, responses: { ok: 'text/plain' } }] as const
  })
  const Things = endpoint('Things', { prefix, actions: Object.fromEntries(actions) } as never)
  const served = Object.fromEntries(actions.map(([name]) => [name, () => name]))
  try {
    return application({ controllers: [Things.implement(served as never)] })
  } catch (error) {
    if (error instanceof DefinitionError) return undefined
    throw error
  }
}

/** The actions that an operation names, in its id and in its texts. */
const listNames = (operation: object): readonly string[] => [
  ...new Set(JSON.stringify(operation).match(/(?<=Things\.)a\d/g) ?? []),
]

/** Returns the paths that a template stands for. */
function fill(template: string): readonly string[] {
  const first = /\{[^}]*\}/.exec(template)?.[0]
  return first === undefined ? [template] : TEXTS.flatMap((text) => fill(template.replace(first, text)))
}

async function readServed(app: Application, verb: string, path: string): Promise<string | undefined> {
  const { status, text } = await askFetch(app, `${verb.toUpperCase()} ${path}`)
  return status === 200 ? text : undefined
}

it('an operation names the action that serves its path, hidden ones and their order considered', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('//', '/things'),
      fc.array(declared, { minLength: 1, maxLength: 5 }),
      async (prefix, all) => {
        const app = makeApplication(prefix, all)
        // A document has at least one action.
        if (app === undefined || all.every(({ isHidden }) => isHidden)) return
        const { paths } = app.openapi()
        const operations = Object.entries(paths).flatMap(([path, item]) =>
          Object.entries(item as object).map(([verb, one]) => ({ path, verb, names: listNames(one as object) })),
        )
        for (const { path, verb, names } of operations) {
          if (!['get', 'post'].includes(verb)) continue
          // Whether constrained routes of a verb leave anything to ANY is not known to the document.
          const isAny = names.every((name) => all[Number(name.slice(1))]?.verb === 'any')
          if (isAny && all.some(({ isConstrained }) => isConstrained)) continue
          expect(path).toMatch(/^\//)
          const served = await Promise.all(fill(path).map((one) => readServed(app, verb, one)))
          // Each of them may be served by a more specific route; of the whole form, at least one is its own.
          expect(
            served.some((name) => name !== undefined && names.includes(name)),
            `${verb} ${path}: ${names}`,
          ).toBe(true)
          for (const [i, { isHidden }] of all.entries()) if (isHidden) expect(names).not.toContain(`a${i}`)
          count++
        }
        const start = prefix === '//' ? '' : '/things'
        for (const verb of ['get', 'post'])
          for (const end of ['', '/x', '/x/y', '/12', '/ada', '/12/y', '/x/12', 'x']) {
            const path = `${start}${end}` || '/'
            const name = await readServed(app, verb, path)
            if (name === undefined || all[Number(name.slice(1))]?.isHidden !== false) continue
            const shown = operations.filter((one) => one.verb === verb && one.names.includes(name))
            expect(shown, `${verb} ${path} is served by ${name}`).not.toEqual([])
          }
      },
    ),
    { numRuns: runs(150, 5000) },
  )
  expect(count).toBeGreaterThan(50)
})
