// The types of the metadata of declarations.
import { assertType, expectTypeOf, it } from 'vitest'
import { type ActionSpec, type ApplicationOptions, application, type EndpointSpec, endpoint, route } from '../index.ts'
import type { ApiServer, Contact, ExternalDocs, License, Tag } from './metadata.ts'

const action = { routing: route.get('/'), responses: { noContent: true } } as const

it('actions and endpoints take titles, groups, links; actions an operation id', () => {
  const Books = endpoint('Books', {
    summary: 'All books',
    tags: ['Shelf'],
    externalDocs: { url: 'https://example.com', description: 'A page.' },
    actions: {
      index: { ...action, summary: 'List books', operationId: 'listBooks', tags: [], externalDocs: { url: '/' } },
    },
  })
  // They do not affect the types of controllers.
  expectTypeOf<keyof typeof Books.spec.actions>().toEqualTypeOf<'index'>()
  expectTypeOf<ActionSpec['operationId']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<EndpointSpec['externalDocs']>().toEqualTypeOf<ExternalDocs | undefined>()
  assertType<ActionSpec>({
    ...action,
    // @ts-expect-error a link has a URL
    externalDocs: { description: 'A page.' },
  })
  assertType<ActionSpec>({
    ...action,
    // @ts-expect-error groups are a list
    tags: 'Shelf',
  })
})

it('applications take facts about themselves', () => {
  expectTypeOf<ApplicationOptions['contact']>().toEqualTypeOf<Contact | undefined>()
  expectTypeOf<ApplicationOptions['license']>().toEqualTypeOf<License | undefined>()
  expectTypeOf<ApplicationOptions['servers']>().toEqualTypeOf<readonly ApiServer[] | undefined>()
  expectTypeOf<ApplicationOptions['tags']>().toEqualTypeOf<readonly Tag[] | undefined>()
  application({
    controllers: [],
    // @ts-expect-error a license has a name
    license: { identifier: 'MIT' },
    // @ts-expect-error a server has a URL
    servers: [{ description: 'Production' }],
  })
})
