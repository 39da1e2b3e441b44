// Mistakes in a client, in its calls, and in reading their answers.
import type { Mistakes } from './snippets.ts'

const trace = "{ headers: { 'X-Trace': 'a' } }"

export const calls: Mistakes = {
  'misspelt option of a client': `export default client({ Films }, { «baseURL|baseUrl»: 'http://localhost' })\n`,
  'unknown option of a client': `export default client({ Films }, { baseUrl: 'http://localhost', «retries: 3|» })\n`,
  'client without its address': `export default client({ Films }, «{}|{ baseUrl: 'http://localhost' }»)\n`,
  'client of a media type': {
    text: `export default client({ «Film|Films» }, { baseUrl: 'http://localhost' })\n`,
    left: 'a module of declarations is given whole: what is no endpoint has no calls',
  },
  'call of an unknown endpoint': `export default api.«Film|Films».index({})\n`,
  'call of an unknown action': `export default api.Films.«list|index»({})\n`,
  'call with an unknown param': `export default api.Films.remove({ id: 1, «force: true|» })\n`,
  'call with a misspelt param': `export default api.Films.remove({ «ide|id»: 1 })\n`,
  'call with a param of a wrong type': `export default api.Films.remove({ «id: 'one'|id: 1» })\n`,
  'call without a captured param': `export default api.Films.remove(«{}|{ id: 1 }»)\n`,
  'call without its params': `export default api.Films.«remove»(«|{ id: 1 }»)\n`,
  'call without the param of the parent': `export default api.Screenings.show(«{»«| film_id: 1,» id: 1 })\n`,
  'call without its payload': `export default api.Films.«create»({}«|, { payload: { title: 'a' } }»)\n`,
  'call with options and without its payload': `export default api.Films.create({}, «{}|{ payload: { title: 'a' } }»)\n`,
  'call without a required attribute': `export default api.Films.create({}, { «payload»: «{ year: 1 }|{ title: 'a' }» })\n`,
  'call with an unknown attribute': `export default api.Films.create({}, { payload: { title: 'a', «colour: 'red'|» } })\n`,
  'call with a value outside values': `export default api.Films.create({}, { payload: { title: 'a', «genre: 'horror'|genre: 'drama'» } })\n`,
  'call with a misspelt option': `export default api.Films.create({}, { «payloads|payload»: { title: 'a' } })\n`,
  'call without a required header': `export default api.Films.«show»({ id: 1 }«|, ${trace}»)\n`,
  'call with a misspelt header': `export default api.Films.show({ id: 1 }, { headers: { «'X-Trcae'|'X-Trace'»: 'a' } })\n`,
  'payload for an action without one': `export default api.Films.remove({ id: 1 }, { «payload: {}|» })\n`,
  'body of an answer that was not told apart': `const answer = await api.Films.show({ id: 1 }, ${trace})
export default «answer.body.title|answer.body»
`,
  'answer compared with an unknown name': `const answer = await api.Films.show({ id: 1 }, ${trace})
export default «answer.name === 'notfound'|answer.name === 'notFound'»
`,
  'attribute of a body that does not exist': `const answer = await api.Films.show({ id: 1 }, ${trace})
export default answer.name === 'ok' ? answer.body.«titel|title» : undefined
`,
  'optional attribute of a body that is not checked': `const answer = await api.Films.show({ id: 1 }, ${trace})
export default answer.name === 'ok' ? «answer.body.director|answer.body.director?».name : undefined
`,
  'moment taken for a text': `const answer = await api.Films.show({ id: 1 }, ${trace})
export default answer.name === 'ok' ? answer.body.released_at?.«slice(0, 4)|getFullYear()» : undefined
`,
  'every element of what is no list': `export default api.Films.«update|index».«all»(«{}»)\n`,
}

/** Mistakes in the fields that calls select, and in reading others. */
export const selections: Mistakes = {
  'selection of an unknown field': `export default api.Films.index({ fields: [«'titel'|'title'»] })\n`,
  'selection of an unknown field below another': `export default api.Films.index({ fields: [«'director.nmae'|'director.name'»] })\n`,
  'field of an element that was not selected': `const answer = await api.Films.index({ fields: ['id', 'director.name'] })
export default answer.name === 'ok' ? answer.body[0]?.director?.«id|name» : undefined
`,
  'field that was not selected': `const answer = await api.Films.show({ id: 1, fields: ['id'] }, ${trace})
export default answer.name === 'ok' ? answer.body.«title|id» : undefined
`,
}
