// Helpers that wrap declarations, without annotations: their types have to be ones that declarations can name.
import {
  type Attribute,
  type Attributes,
  childOf,
  collectionOf,
  endpoint,
  header,
  inherit,
  type MediaType,
  mediaType,
  need,
  type Plugin,
  problemEncoder,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { client } from 'edict/client'
import { policy } from 'edict/extend'

export const listOf = <A extends Attribute>(of: A) => t.array(of)
export const someOf = <A extends Attribute>(of: A) => t.array(of, { min: 1, nullable: true })
export const recordOf = <A extends Attribute>(of: A) => t.record(of)
export const objectOf = <A extends Attribute>(of: A) => t.object({ of, also: t.string() })
export const structureOf = <A extends Attributes>(of: A) => t.object(of)
export const refTo = <A extends Attribute>(of: A) => t.ref(of)
export const lazyRef = <A extends Attribute>(of: A) => t.ref(() => of)
export const unionOf = <A extends Attribute>(of: A) => t.union('kind', { one: { of }, two: { other: t.integer() } })
export const jsonOf = <A extends Attribute>(of: A) => t.json(of)
export const scalars = () => ({ a: t.string(), b: t.integer({ nullable: true }), c: t.date({ default: '2026-01-01' }) })
export const inherited = () => ({ a: inherit, b: inherit({ required: true }) })
export const pageOf = <A extends Attribute>(of: A) =>
  t.object({ items: t.array(of, { required: true }), next: t.string() })
export const typeOf = <A extends Attribute>(of: A) =>
  mediaType('Page', { attributes: { of, id: t.integer({ required: true }) } })
export const typeOfAll = <A extends Attributes>(attributes: A) => mediaType('All', { attributes })
export const listOfType = <M extends MediaType>(of: M) => collectionOf(of)
export const Books = endpoint('Books', {
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } },
})
export const booksFor = (path: string) =>
  endpoint('Books', { actions: { show: { routing: route.get(path), responses: { ok: 'text/plain' } } } })
export const books = () => Books.implement({ show: ({ id }) => `${id}` })
export const api = (baseUrl: string) => client({ Books }, { baseUrl })
export const adding = <T>(settings: T) => policy<{ readonly value: T }>({ name: 'adding', settings })
export const needing = <T>(make: () => T) => need(make)
export const scheme = <P>(name: string) => security.bearer<P>(name)
export const verifying = () => verifier(security.bearer<{ a: string }>('A'), () => undefined)
export const encoder = <A extends Attribute>(form: A) => problemEncoder(form, () => ({ body: {} as never }))
export const header1 = () => header('X-A')
export const plugin = (): Plugin => ({ name: 'a' })
export const child = childOf
