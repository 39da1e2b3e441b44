// Mistakes in the functions of controllers: their names, and what they read of a request.
import { controllerWith, type Mistakes } from './snippets.ts'

const implemented = (response: string): string => `const Shelves = endpoint('Shelves', {
  actions: { list: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})
export default ${response}
`

export const controllers: Mistakes = {
  'action that does not exist': controllerWith({ publish: "«publish: () => 'x',|»" }),
  'misspelt action': controllerWith({ remove: '«remvoe|remove»: (_, { reply }) => reply.noContent(),' }),
  'action that is missing': controllerWith({
    index: '«index»: (_, { reply }) => reply.ok([]),',
    remove: '«|remove: (_, { reply }) => reply.noContent(),»',
  }),
  'functions of another endpoint': implemented("controller(Shelves, { «get|list»: () => 'a' })"),
  'implementation by the endpoint with a misspelt action': implemented(
    "Shelves.implement({ «lists|list»: () => 'a' })",
  ),
  'controller of a media type': implemented("controller(«Film|Shelves», { «list»: () => 'a' })"),
  'unknown param': controllerWith({ show: 'show: (params, { reply }) => reply.notFound(String(params.«ide|id»)),' }),
  'unknown param in a pattern': controllerWith({ show: 'show: ({ «ide|id» }, { reply }) => reply.notFound(),' }),
  'param of the defaults misspelt': controllerWith({
    show: 'show: ({ «local|locale» }, { reply }) => reply.notFound(),',
  }),
  'wrong param of a parent': `export default Screenings.implement({ show: ({ «films_id|film_id» }) => 'a' })\n`,
  'unknown header': controllerWith({
    show: "show: (_, { reply, request }) => reply.notFound(request.headers[«'X-Trcae'|'X-Trace'»]),",
  }),
  'unknown attribute of a payload': controllerWith({
    create: 'create: (_, { reply, request }) => reply.conflict(request.payload.«titel|title»),',
  }),
  'payload of an action without one': controllerWith({
    remove: 'remove: (_, { reply, request }) => (request.payload«.title|» ? reply.noContent() : reply.noContent()),',
  }),
  'optional attribute that is not checked': controllerWith({
    create:
      'create: (_, { reply, request }) => reply.conflict(String(«request.payload.year|(request.payload.year ?? 0)» + 1)),',
  }),
  'comparison with a value outside values': controllerWith({
    create:
      "create: (_, { reply, request }) => («request.payload.genre === 'horror'|request.payload.genre === 'drama'» ? reply.conflict() : reply.conflict()),",
  }),
  'unknown member of the principal': controllerWith({
    show: 'show: (_, { reply, principal }) => reply.notFound(principal.«nick|nickname»),',
  }),
  'principal of an action without security': controllerWith({
    index: 'index: (_, { reply, principal }) => («principal.nickname|principal» ? reply.ok([]) : reply.ok([])),',
  }),
  'unknown member of the context': controllerWith({
    show: 'show: (_, { «respond|reply: respond» }) => respond.notFound(),',
  }),
  'unknown response asked of accepts': controllerWith({
    show: "show: (_, { reply, request }) => reply.notFound(request.accepts(«'okay'|'ok'»)),",
  }),
  'href with a wrong param': `export default Films.toHref({ «film|id»: 1 })\n`,
  'href without the param of the parent': `export default Screenings.toHref(«{»«| film_id: 1,» id: 1 })\n`,
  'named route that does not exist': `export default Films.routes.«fim|film»\n`,
  'verifier of a wrong principal': `export default verifier(Card, (name) => «({ name })|({ nickname: name })»)\n`,
}
