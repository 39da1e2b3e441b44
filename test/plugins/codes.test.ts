// Codes of plugins: defined where they are raised, typed there, and sent like those of the core.
import { describe, expect, it } from 'vitest'
import { attribute, type Codes, defineCodes, type Kind, type Plugin, problem, Refusal } from '../../src/extend.ts'
import { application, endpoint, route, t } from '../../src/index.ts'
import { pagination } from '../../src/plugins/pagination/index.ts'
import { ask, mistakesOf } from '../support/ask.ts'

const codes = defineCodes('seats', {
  issues: { 'seat-row': 'must be in row {row} or before it', 'seat-odd': 'must be an even seat' },
  failures: {
    'seat-taken': { status: 409, title: 'The seat is taken' },
    'hall-closed': { status: 423, title: 'The hall is closed' },
  },
})

const kind: Kind<undefined> = {
  name: 'seat',
  loader: () => (value, loading) => {
    if (Number(value) > 500) return loading.fail(codes.issues['seat-row'], { row: 20 })
    return Number(value) % 2 === 0 ? Number(value) : loading.fail(codes.issues['seat-odd'])
  },
  dumper: () => (value) => value,
  jsonSchema: () => ({ type: 'integer' }),
  example: () => 2,
}
const seat = attribute<undefined, number, true>(kind, undefined, { required: true })

const plugin = (name: string, own: Codes): Plugin => ({ name, codes: own })

const Seats = endpoint('Seats', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: seat, near: t.integer() }, responses: { ok: 'text/plain' } },
  },
})

const seats = Seats.implement({
  show: ({ id }: { id: number }) => {
    if (id === 10) throw new Refusal({ ...codes.failures['seat-taken'], detail: 'Choose another one.' })
    if (id === 12) throw problem({ ...codes.failures['hall-closed'], headers: { 'Retry-After': '60' } })
    throw Refusal.ofParams([{ pointer: '/id', code: codes.issues['seat-row'], detail: { row: 9 } }])
  },
})

const app = application({ controllers: [seats], plugins: [plugin('seats', codes)] })

const validation = (code: string, message: string): object => ({
  status: 400,
  code: 'validation',
  detail: `The parameter 'id' ${message}`,
  errors: [{ in: 'params', pointer: '/id', code, message: `The parameter 'id' ${message}` }],
})

const problemsOf = (plugins: readonly Plugin[]): string[] =>
  mistakesOf(() => application({ controllers: [seats], plugins })).map(({ problem }) => problem)

describe('codes of a plugin', () => {
  it('of values are sent with their texts, by kinds and by refusals', async () => {
    expect((await ask(app, 'GET /seats/3')).json).toMatchObject(validation('seat-odd', 'must be an even seat'))
    const beyond = validation('seat-row', 'must be in row 20 or before it')
    expect((await ask(app, 'GET /seats/600')).json).toMatchObject(beyond)
    const refused = validation('seat-row', 'must be in row 9 or before it')
    expect((await ask(app, 'GET /seats/2')).json).toMatchObject(refused)
  })

  it('of requests are served with their status and title, though no action declares them', async () => {
    const taken = await ask(app, 'GET /seats/10')
    expect([taken.status, taken.headers['content-type'], taken.json]).toEqual([
      409,
      'application/problem+json',
      {
        type: 'about:blank',
        title: 'The seat is taken',
        status: 409,
        detail: 'Choose another one.',
        code: 'seat-taken',
      },
    ])
    const closed = await ask(app, 'GET /seats/12')
    expect([closed.status, closed.headers['retry-after'], closed.json.code]).toEqual([423, '60', 'hall-closed'])
  })

  it('stop the boot when two plugins define one of them differently, and both are named', () => {
    const issue = defineCodes('hall', { issues: { 'seat-odd': 'must be odd' } })
    expect(problemsOf([plugin('seats', codes), plugin('hall', issue)])).toEqual([
      `'hall' defines the code 'seat-odd' as "must be odd", and 'seats' as "must be an even seat"`,
    ])
    const failure = defineCodes('hall', { failures: { 'seat-taken': { status: 410, title: 'The seat is taken' } } })
    expect(problemsOf([plugin('hall', failure), plugin('seats', codes)])).toEqual([
      `'seats' defines the code 'seat-taken' as 409 "The seat is taken", and 'hall' as 410 "The seat is taken"`,
    ])
  })

  it('stop the boot when they redefine a code of the core or of a plugin of edict', () => {
    const core = defineCodes('hall', {
      issues: { missing: 'is not there' },
      failures: { internal: { status: 500, title: 'Oops' } },
    })
    expect(problemsOf([plugin('hall', core)])).toEqual([
      `'hall' defines the code 'missing' as "is not there", and 'edict' as "is required"`,
      `'hall' defines the code 'internal' as 500 "Oops", and 'edict' as 500 "The server encountered an unexpected condition"`,
    ])
    const own = defineCodes('hall', { issues: { 'pagination-by': 'must have by' } })
    expect(problemsOf([pagination(), plugin('hall', own)])).toEqual([
      `'hall' defines the code 'pagination-by' as "must have by", and 'pagination' as "must name a field with by"`,
    ])
  })

  it('may be shared, when both plugins mean the same', () => {
    const same = defineCodes('hall', { issues: { 'seat-odd': 'must be an even seat' } })
    expect(problemsOf([plugin('seats', codes), plugin('hall', same)])).toEqual([])
  })

  it('are words in lower case, with a status of an error', () => {
    const odd = defineCodes('hall', {
      issues: { Seat_Odd: 'x' },
      failures: { moved: { status: 302, title: 'Elsewhere' } },
    })
    expect(problemsOf([plugin('hall', odd)])).toEqual([
      "'hall' defines the code 'Seat_Odd'",
      "'hall' defines the code 'moved' with the status 302",
    ])
    expect(problemsOf([{ name: 'hall', codes: { issues: {} } as unknown as Codes }])).toHaveLength(1)
  })

  it('are known by name to those who raise them', () => {
    // @ts-expect-error: no such code
    void codes.issues['seat-even']
    // @ts-expect-error: a code that the core does not know needs a status and a title
    void new Refusal({ code: 'seat-taken' })
    expect(Object.keys(codes.failures)).toEqual(['seat-taken', 'hall-closed'])
  })
})
