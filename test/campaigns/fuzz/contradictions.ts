// Declarations that contradict themselves: each must be refused at boot, in words, and never crash.
import {
  type AnyController,
  application,
  DefinitionError,
  endpoint,
  header,
  inherit,
  mediaType,
  response,
  route,
  t,
} from 'edict'
import type { Draw } from './draw.ts'
import type { Tally } from './explore.ts'
import { BrokenLaw } from './laws.ts'

const Thing = mediaType('Thing', { attributes: { id: t.integer({ required: true }) } })
const backReference = /(a)\1/
const get = route.get('/')

/** The wrong part of an endpoint, drawn anew each time. */
type Wrong = (draw: Draw) => object

const param = (attribute: unknown): object => ({
  actions: { show: { routing: get, params: { x: attribute }, responses: { ok: true } } },
})
const action = (more: object): object => ({ actions: { show: { routing: get, responses: { ok: true }, ...more } } })

/** Every contradiction that is tried. */
const CONTRADICTIONS: Readonly<Record<string, Wrong>> = {
  'limits the wrong way round': (draw) => param(t.integer({ min: draw.int(2, 9), max: draw.int(-9, 1) })),
  'sizes the wrong way round': (draw) => param(t.string({ min: draw.int(5, 9), max: draw.int(0, 4) })),
  'a negative size': (draw) => param(t.array(t.string(), { max: -draw.int(1, 9) })),
  'a size that is no number of things': () => param(t.record(t.string(), { min: 1.5 })),
  'a limit that is not finite': () => param(t.number({ max: Number.POSITIVE_INFINITY })),
  'a default that does not fit': (draw) => param(t.integer({ max: 5, default: draw.int(6, 99) })),
  'a default of another type': () => param(t.boolean({ default: 'yes' as never })),
  'a default of null': () => param(t.string({ default: null as never })),
  'an example that does not fit': () => param(t.date({ example: '2023-02-29' })),
  'no values': () => param(t.string({ values: [] })),
  'a value twice': () => param(t.string({ values: ['a', 'a'] })),
  'values that do not fit': () => param(t.string({ values: ['abc'], max: 2 })),
  'a pattern with a back-reference': () => param(t.string({ pattern: backReference })),
  'a pattern with a memory': () => param(t.string({ pattern: /a/g })),
  'an option that there is not': () => param(t.integer({ maximum: 5 } as never)),
  'a name that objects cannot have': () =>
    param(t.object(JSON.parse('{"__proto__":1}') && Object.fromEntries([['__proto__', t.string()]]))),
  'a union of nothing': () => param(t.union('is', {})),
  'a variant with the discriminator': () => param(t.union('is', { a: { is: t.string() } })),
  'something that is no attribute': (draw) => param(draw.pick([7, 'text', null, {}, []])),
  'a capture that is not declared': () => action({ routing: route.get('/:id') }),
  'a wildcard without splat': () => action({ routing: route.get('/*') }),
  'a path that cannot be read': (draw) =>
    action({ routing: route.get(draw.pick(['/(a', '/:', '/a)', '/:a/:a', '/\\'])) }),
  'no route': () => action({ routing: [] }),
  'no response': () => action({ responses: {} }),
  'a response without a status': () => action({ responses: { strange: true } }),
  'a response of another name': () => action({ responses: { other: response('strange', { status: 299 }) } }),
  'a status that is none': (draw) => action({ responses: { strange: { status: draw.pick([99, 600, 1.5]) } } }),
  'a status of a name that has one': () => action({ responses: { ok: { status: 201 } } }),
  'an identifier that is none': () => action({ responses: { ok: 'not a type' } }),
  'a header that is none': () => action({ headers: { 'not a header': header() } }),
  'one header twice': () => action({ headers: { 'X-One': header(), 'x-one': header() } }),
  'a header by type and value': () =>
    action({ headers: { 'X-One': (header as (...all: unknown[]) => never)(t.integer(), { required: true }) } }),
  'a limit of a body that is none': (draw) => action({ bodyLimit: draw.pick([0, -1, 1.5, Number.NaN]) }),
  'a content type that is none': () => action({ payload: t.string(), consumes: ['nonsense'] }),
  'no content type': () => action({ payload: t.string(), consumes: [] }),
  'a setting that there is not': () => action({ routes: get }),
  'an attribute to inherit that there is not': () => ({
    mediaType: Thing,
    ...action({ payload: { colour: inherit } }),
  }),
  'something to inherit from nothing': () => action({ payload: { id: inherit } }),
  'a canonical path of no action': () => ({ canonicalPath: 'nowhere', ...action({}) }),
  'an empty version': () => ({ version: '', ...action({}) }),
  'no action': () => ({ actions: {} }),
  'two routes of one name': () => action({ routing: [route.get('/a', { name: 'x' }), route.get('/b', { name: 'x' })] }),
  'two routes that nothing tells apart': () => ({
    actions: { one: { routing: get, responses: { ok: true } }, two: { routing: get, responses: { ok: true } } },
  }),
  'a default route': () => ({ actionDefaults: { routing: get }, ...action({}) }),
  'a view of what there is not': () =>
    action({ responses: { ok: mediaType('Odd', { attributes: {}, views: { some: ['nothing' as never] } }) } }),
}

/** Tries every contradiction once. */
export function contradict(draw: Draw, tally: Tally): void {
  for (const [name, wrong] of Object.entries(CONTRADICTIONS)) {
    const spec = wrong(draw)
    const names = Object.keys((spec as { actions: object }).actions)
    const boot = (): unknown => {
      const made = endpoint('Wrong', spec as never) as unknown as { implement(of: object): AnyController }
      const controllers = [made.implement(Object.fromEntries(names.map((one) => [one, () => 'x'])))]
      return application({ controllers, logger: { info() {}, warn() {}, error() {} } })
    }
    isRefusedAtBoot(name, boot)
    tally.refused++
  }
}

function isRefusedAtBoot(name: string, boot: () => unknown): void {
  try {
    boot()
  } catch (error) {
    const mistakes = error instanceof DefinitionError ? error.mistakes : []
    if (mistakes.some(({ endpoint: at, problem, remedy }) => at === 'Wrong' && problem !== '' && remedy !== '')) return
    throw new BrokenLaw(`A contradiction is refused in words: ${name}\n${String(error)}`, { cause: error })
  }
  throw new BrokenLaw(`A contradiction is refused at boot: ${name}`)
}
