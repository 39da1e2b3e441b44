// The gaps that `checkApplication` reports, and the credentials that it is given.
import {
  type Application,
  application,
  collectionOf,
  endpoint,
  inherit,
  mediaType,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { type CheckError, checkApplication } from 'edict/testing'
import { describe, expect, it } from 'vitest'

const Token = security.bearer<{ readonly name: string }>('Token')

const Note = mediaType('Note', {
  attributes: { id: t.integer({ required: true }), text: t.string({ required: true, min: 1, max: 20 }) },
})

const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Note) } },
    create: { routing: route.post('/'), payload: { text: inherit }, responses: { created: Note, conflict: true } },
    own: { routing: route.get('/own'), security: Token, responses: { ok: collectionOf(Note) } },
    find: { routing: route.get('/by/:word'), params: { word: t.string() }, responses: { ok: Note, notFound: true } },
  },
})

/** Makes notes, for clients with a token of their names; an expired one is theirs, too, if expiry is forgotten. */
const makeNotes = (forgetsExpiry = false): Application => {
  const rows: { id: number; text: string }[] = []
  return application({
    controllers: [
      Notes.implement({
        index: (_, { reply }) => reply.ok(rows),
        create(_, { request, reply }) {
          const row = { id: rows.length + 1, text: request.payload.text }
          rows.push(row)
          return reply.created(row)
        },
        own: (_, { reply }) => reply.ok(rows),
        find: (_, { reply }) => reply.notFound(),
      }),
    ],
    verifiers: [
      verifier(Token, (token) => {
        const name = ['of-ada', 'of-grace'].find(
          (one) => one === token || (forgetsExpiry && `${one}-expired` === token),
        )
        return name === undefined ? undefined : { name }
      }),
    ],
    logger: { info() {}, warn() {}, error() {} },
  }) as unknown as Application
}

const principals = { ada: { Authorization: 'Bearer of-ada' }, grace: { Authorization: 'Bearer of-grace' } }

describe('[FOR-02] a check says what it did not do', () => {
  it('names the laws without a case, and those only, each with the reason and the remedy', async () => {
    const { cases, untested } = await checkApplication(makeNotes(), { runs: 3 })
    const names = untested.map(({ law }) => law)
    expect(names.filter((law) => law in cases)).toEqual([])
    expect(names).toEqual(
      expect.arrayContaining(['clients', 'viewers', 'pages', 'orders', 'credentials', 'statements']),
    )
    for (const { reason, remedy } of untested) expect([reason, remedy].every((text) => text.length > 3)).toBe(true)
    expect(untested.find(({ law }) => law === 'clients')).toEqual({
      law: 'clients',
      reason: 'it needs a GET that two clients may send',
      remedy: 'set `principals` to the credentials of at least two clients',
    })
    // The law applies here, but there are no credentials to forge.
    expect(untested.find(({ law }) => law === 'credentials')?.reason).toMatch(
      /^every case proved nothing: the client has no credentials that can be changed \(\d+x\)$/,
    )
  })

  it('names the actions that no request reached, with the statuses that they gave', async () => {
    const { unreached } = await checkApplication(makeNotes(), { runs: 3 })
    expect(unreached.map(({ action }) => action)).toEqual(['Notes.own', 'Notes.find'])
    expect(unreached[0]?.reason).toMatch(/^the responses were 401 \(\d+x\)$/)
    expect(unreached[0]?.remedy).toMatch(/`principals`/)
    expect(unreached[1]?.reason).toMatch(/^the responses were 404 \(\d+x\)/)
    expect(unreached[1]?.remedy).toContain('{ word: […] }')
  })

  it('does not name what the options leave out', async () => {
    const { untested, unreached } = await checkApplication(makeNotes(), { runs: 1, only: ['valid'] })
    expect(untested).toEqual([])
    expect(unreached.find(({ action }) => action === 'Notes.own')?.reason).toMatch(/401/)
    const narrow = await checkApplication(makeNotes(), { runs: 1, only: ['Notes.index valid'] })
    expect(narrow.unreached.find(({ action }) => action === 'Notes.own')?.reason).toBe('the options leave it out')
  })

  it('ends after a number of requests', async () => {
    const { requests } = await checkApplication(makeNotes(), { requests: 200 })
    expect(requests).toBeGreaterThanOrEqual(200)
    expect(requests).toBeLessThan(260)
  })
})

describe('[TKT-02] credentials', () => {
  it('that the test names as invalid must be refused', async () => {
    const refused = { 'the expired token of ada': { Authorization: 'Bearer of-ada-expired' } }
    const options = { principals, refused, runs: 12, only: ['credentials'] }
    const report = await checkApplication(makeNotes(), options)
    expect(report.cases['credentials']).toBe(12)
    const error = await checkApplication(makeNotes(true), options).catch((one: CheckError) => one)
    expect((error as CheckError).faults[0]?.problem).toBe(
      "the credentials 'the expired token of ada' must get 401 or 403, but the response is 200",
    )
  })

  it('may come from the application, each time that it is made', async () => {
    const made: unknown[] = []
    const findClients = async (app: unknown) => {
      made.push(app)
      return principals
    }
    const options = { runs: 1, principals: findClients }
    const { unreached } = await checkApplication(makeNotes, options)
    expect(unreached.map(({ action }) => action)).toEqual(['Notes.find'])
    expect(made).toHaveLength(1)
    await expect(checkApplication(makeNotes, { principals: () => ({ ada: 'Bearer x' }) as never })).rejects.toThrow(
      /the function 'principals' returns \{"ada":"Bearer x"\}; it has to return headers keyed by the names of clients/,
    )
  })
})
