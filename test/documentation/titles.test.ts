// Titles of operations: English made from names, declared ones as they are, and no two alike in a menu.
import fc from 'fast-check'
import pluralize from 'pluralize-esm'
import { describe, expect, it } from 'vitest'
import { application, collectionOf, endpoint, mediaType, route, t } from '../../src/index.ts'
import type { OpenapiDocument } from '../../src/openapi/types.ts'
import { operationsOf } from '../support/documents/requests.ts'
import { runs } from '../support/runs.ts'

const Thing = mediaType('Thing', { attributes: { id: t.integer({ required: true }) } })

/** An action: its method, its path, and whether it gives a list. */
type Shape = readonly [verb: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'any', path: string, list?: 'list']

const declare = ([verb, path, list]: Shape, texts: object = {}) => ({
  routing: route[verb](path),
  params: Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, t.integer()])),
  responses: { ok: list === undefined ? Thing : collectionOf(Thing) },
  ...texts,
})

const documentOf = (endpoints: Readonly<Record<string, { readonly actions: object }>>): OpenapiDocument => {
  const controllers = Object.entries(endpoints).map(([name, spec]) => {
    const actions = Object.keys(spec.actions).map((action) => [action, () => ({})])
    return endpoint(name, spec as never).implement(Object.fromEntries(actions) as never)
  })
  return application({ controllers }).openapi()
}

const titlesOf = (document: OpenapiDocument) =>
  operationsOf(document).map(({ operation }) => [operation.operationId, operation.summary])

const titleOf = (name: string, action: string, shape: Shape): string | undefined =>
  titlesOf(documentOf({ [name]: { actions: { [action]: declare(shape) } } }))[0]?.[1]

const ONE = '/:id'
const usual: readonly (readonly [action: string, shape: Shape, title: string])[] = [
  ['index', ['get', '/', 'list'], 'List users'],
  ['list', ['get', '/', 'list'], 'List users'],
  ['show', ['get', ONE], 'Show a user'],
  ['create', ['post', '/'], 'Create a user'],
  ['update', ['patch', ONE], 'Update a user'],
  ['remove', ['delete', ONE], 'Remove a user'],
  ['replace', ['put', ONE], 'Replace a user'],
  ['delete', ['delete', ONE], 'Delete a user'],
  ['register', ['post', '/'], 'Register a user'],
  ['ban', ['post', `${ONE}/ban`], 'Ban a user'],
  ['search', ['get', '/search', 'list'], 'Search users'],
  ['popular', ['get', '/popular', 'list'], 'List popular users'],
  ['login', ['post', '/login'], 'Log in'],
  ['signUp', ['post', '/signup'], 'Sign up'],
  ['me', ['get', '/me'], 'Show the current user'],
  ['updateMe', ['patch', '/me'], 'Update the current user'],
  ['latest', ['get', '/latest'], 'Show the latest user'],
  ['mine', ['get', '/mine', 'list'], 'List your users'],
  ['resetPassword', ['post', `${ONE}/password`], 'Reset the password of a user'],
  ['add_role', ['post', `${ONE}/roles`], 'Add a role to a user'],
  ['addRoles', ['post', `${ONE}/roles`], 'Add roles to a user'],
  ['avatar', ['get', `${ONE}/avatar`], 'Show the avatar of a user'],
  ['comments', ['get', `${ONE}/comments`, 'list'], 'List the comments of a user'],
  ['exportCsv', ['get', '/csv'], 'Export the CSV of users'],
  ['findByEmail', ['get', '/by-email'], 'Find a user by email'],
  ['getUserById', ['get', ONE], 'Get a user by ID'],
  ['listUsers', ['get', '/', 'list'], 'List users'],
  ['createUser', ['post', '/'], 'Create a user'],
  ['deleteAll', ['delete', '/'], 'Delete all users'],
  ['bulkCreate', ['post', '/bulk'], 'Bulk create users'],
  ['softDelete', ['delete', ONE], 'Soft delete a user'],
  ['shutDown', ['post', `${ONE}/down`], 'Shut down a user'],
]

const nouns: readonly (readonly [endpoint: string, action: string, shape: Shape, title: string])[] = [
  ['Categories', 'index', ['get', '/', 'list'], 'List categories'],
  ['Categories', 'show', ['get', ONE], 'Show a category'],
  ['People', 'show', ['get', ONE], 'Show a person'],
  ['BlogPosts', 'publish', ['post', ONE], 'Publish a blog post'],
  ['Analyses', 'create', ['post', '/'], 'Create an analysis'],
  ['Hours', 'show', ['get', ONE], 'Show an hour'],
  ['Units', 'show', ['get', ONE], 'Show a unit'],
  ['Uploads', 'show', ['get', ONE], 'Show an upload'],
  ['Series', 'show', ['get', ONE], 'Show a series'],
  ['APIKeys', 'show', ['get', ONE], 'Show an API key'],
  ['UserIDs', 'index', ['get', '/', 'list'], 'List user IDs'],
  ['HTTPLogs', 'show', ['get', ONE], 'Show an HTTP log'],
  ['OAuth2Clients', 'show', ['get', ONE], 'Show an OAuth2 client'],
  ['News', 'index', ['get', '/', 'list'], 'List news'],
  ['News', 'create', ['post', '/'], 'Create news'],
  ['Profile', 'show', ['get', '/'], 'Show the profile'],
  ['Profile', 'update', ['patch', '/'], 'Update the profile'],
  ['Account', 'index', ['get', '/', 'list'], 'List accounts'],
  ['Settings', 'show', ['get', '/'], 'Show the settings'],
]

describe('[DOC-01] titles that are made from names', () => {
  it.each(usual)('Users.%s', (action, shape, title) => expect(titleOf('Users', action, shape)).toBe(title))
  it.each(nouns)('%s.%s', (name, action, shape, title) => expect(titleOf(name, action, shape)).toBe(title))

  it('use the singular that an endpoint declares, and tell elements of a child from those of its parent', () => {
    const Alumni = { singular: 'alumnus', actions: { show: declare(['get', ONE]) } }
    expect(titlesOf(documentOf({ Alumni }))).toEqual([['Alumni.show', 'Show an alumnus']])
    const Blogs = endpoint('Blogs', { actions: { show: declare(['get', ONE]) } } as never)
    const Posts = endpoint('Posts', {
      parent: Blogs,
      actions: {
        words: declare(['get', '/words']),
        tags: declare(['get', `${ONE}/tags`]),
        index: declare(['get', '/']),
      },
    } as never)
    const app = application({
      controllers: [Posts.implement({ words: () => ({}), tags: () => ({}), index: () => ({}) } as never)],
    })
    expect(titlesOf(app.openapi())).toEqual([
      ['Posts.words', 'Show the words of posts'],
      ['Posts.tags', 'Show the tags of a post'],
      ['Posts.index', 'List posts'],
    ])
  })

  const vowel = /^(?:an [aeioAEFHILMNORSX]|an (?:un|up|ur|ul|hour)|a [^aeio]|a (?:one|eu))/
  const verbs = ['index', 'show', 'create', 'update', 'remove', 'replace', 'delete', 'approve', 'archive', 'zap']
  const nounsOfApis = [
    'book',
    'category',
    'box',
    'address',
    'invoice',
    'order',
    'api',
    'user',
    'entry',
    'movie',
    'hero',
  ]

  it('are a verb and its object, for any verb and any noun', () => {
    const pascal = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
    fc.assert(
      fc.property(fc.constantFrom(...verbs), fc.constantFrom(...nounsOfApis), fc.boolean(), (verb, noun, isRead) => {
        const many = pluralize.plural(noun)
        const isIndex = verb === 'index'
        // What reads is taken for a noun unless it is a usual verb.
        const method = isIndex || (isRead && verb === 'show') ? 'get' : 'post'
        const title = titleOf(pascal(many), verb, [method, isIndex ? '/' : ONE]) as string
        const shown = (word: string): string => word.replace('api', 'API')
        if (isIndex) expect(title).toBe(`List ${shown(many)}`)
        else {
          const object = title.slice(verb.length + 1)
          expect(title.startsWith(`${pascal(verb)} a`)).toBe(true)
          expect(object.replace(/^an? /, '')).toBe(shown(noun))
          expect(object).toMatch(vowel)
        }
      }),
      { numRuns: runs(100, 1000) },
    )
  })
})

describe('[DOC-01] titles that are declared', () => {
  const text = fc.constantFrom(
    'Show a book',
    'List books',
    'Create a book',
    'Show a book by POST',
    'Anything',
    undefined,
  )
  const described = fc.constantFrom(
    'Show a book. All of it.',
    '# Show',
    'List books',
    `${'word '.repeat(30)}.`,
    undefined,
  )
  const action = fc.record({ name: fc.constantFrom('show', 'index', 'list', 'get', 'x', 'y'), text, described })

  it('are used as they are, and no two operations of a tag have the same one', () => {
    const many = fc.uniqueArray(action, { selector: ({ name }) => name, minLength: 1 })
    fc.assert(
      fc.property(many, many, fc.boolean(), (ones, others, isShared) => {
        const declared = [ones, others].map((all, e) =>
          all.map(({ name, text: summary, described: description }, i) => [
            name,
            {
              ...declare(['any', `/a${i}`]),
              routing: [route.any(`/a${i}`), route.get(`/b${i}`)],
              ...(isShared && { tags: ['Shared'] }),
              summary: summary && `${summary}${e === 0 ? '' : ' too'}`,
              description,
            },
          ]),
        )
        const [Books = {}, Others = {}] = declared.map((all) => ({ actions: Object.fromEntries(all) }))
        const document = documentOf({ Books, Others } as never)
        const wanted = declared.flatMap((all) => all.flatMap(([, { summary }]: any) => summary ?? []))
        const twice = new Set(wanted.filter((one, i) => wanted.indexOf(one) !== i))
        const byTag = new Map<string, string[]>()
        for (const { operation } of operationsOf(document))
          for (const tag of operation.tags ?? [])
            byTag.set(tag, [...(byTag.get(tag) ?? []), operation.summary as string])
        for (const titles of byTag.values())
          expect(titles.filter((one, i) => titles.indexOf(one) !== i && !twice.has(one))).toEqual([])
        const all = [...byTag.values()].flat()
        for (const one of wanted) expect(all).toContain(one)
      }),
      { numRuns: runs(100, 1000) },
    )
  })

  it('name the path, or the method, where an action has several operations', () => {
    const Books = {
      actions: {
        show: { ...declare(['get', ONE], { summary: 'Show it' }), routing: [route.get(ONE), route.get('/b/:id')] },
        proxy: declare(['any', '/proxy']),
      },
    }
    expect(titlesOf(documentOf({ Books })).map(([, title]) => title)).toEqual([
      'Show it',
      'Show it at /books/b/{id}',
      'Proxy a book',
      'Proxy a book by POST',
      'Proxy a book by PUT',
      'Proxy a book by PATCH',
      'Proxy a book by DELETE',
    ])
  })

  it.each([
    ['One sentence. And another.', 'One sentence'],
    ['Two lines\nof one sentence. Then more.', 'Two lines of one sentence'],
    ['No full stop\n\nAnother paragraph.', 'No full stop'],
    ['# A heading\n\nText.', 'Show a book'],
    ['- a list', 'Show a book'],
    [`${'Very '.repeat(20)}long.`, 'Show a book'],
    ['   ', 'Show a book'],
  ])('are the first sentence of a description, if that can be a title: %j', (description, title) => {
    const Books = { actions: { show: declare(['get', ONE], { description }) } }
    expect(titlesOf(documentOf({ Books }))).toEqual([['Books.show', title]])
  })
})
