// Parts of a document that declarations cannot express: a default of a required attribute, and lengths that no text has. The application
// boots without it, and the list of what was left out has it.
import { afterAll, expect, it } from 'vitest'
import { load, type Made, made, removed } from './made.ts'

const string = { type: 'string', default: 'x' }
const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/items/{id}': {
      post: {
        operationId: 'change',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', default: 1 } },
          { name: 'must', in: 'query', required: true, schema: string },
          { name: 'may', in: 'query', schema: string },
          { name: 'X-Must', in: 'header', required: true, schema: string },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['must', 'deep'],
                properties: {
                  must: string,
                  may: string,
                  deep: { type: 'object', required: ['must'], properties: { must: string, may: string } },
                  code: { type: 'string', format: 'uuid', maxLength: 10 },
                  digits: { type: 'string', pattern: '^[0-9]{12}$', maxLength: 3 },
                },
              },
            },
          },
        },
        responses: { 204: { description: 'done' } },
      },
    },
  },
}

let one: Made | undefined
afterAll(() => one && removed(one))

it('leaves out the default of what is required and lengths that cannot be, and says so', async () => {
  one = await made(JSON.stringify(document), 'openapi.json')
  const app = await load(one)
  const action = app.endpoints[0]?.actions.values().next().value
  const initial = (attributes: object | undefined): object =>
    Object.fromEntries(Object.entries(attributes ?? {}).map(([name, { options }]) => [name, options.default]))
  const { children } = action?.payload?.attribute.core ?? {}
  expect(initial(action?.params)).toEqual({ id: undefined, must: undefined, may: 'x' })
  expect(initial(action?.headers)).toEqual({ 'X-Must': undefined })
  expect(initial(children)).toMatchObject({ must: undefined, may: 'x' })
  expect(initial(children?.['deep']?.core.children)).toEqual({ must: undefined, may: 'x' })
  const places = one.unsupported
    .filter(({ what }) => what.startsWith('a default of a p'))
    .map(({ pointer: place }) => place)
  const body = '/requestBody/content/application~1json/schema/properties'
  expect(places.map((place) => place.replace(/^.*?post/, '')).sort()).toEqual(
    ['/parameters/0', '/parameters/1', '/parameters/3', `${body}/deep/properties/must`, `${body}/must`].sort(),
  )
  const left = one.unsupported.filter(({ pointer: place }) => /\/(?:code|digits)/.test(place))
  expect(left.length).toBeGreaterThanOrEqual(2)
})
