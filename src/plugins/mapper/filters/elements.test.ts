// Filters on elements in memory: the operators that the property tests of test/lists do not generate, and invalid values.
import { mediaType, t } from 'edict'
import { expect, test } from 'vitest'
import { compileFilter } from './elements.ts'
import type { FilterExpression } from './expression.ts'

const Post = mediaType('Post', { attributes: { title: t.string(), likes: t.integer() } })
const Blog = mediaType('Blog', {
  attributes: {
    id: t.integer(),
    name: t.string({ max: 5 }),
    price: t.decimal(),
    at: t.dateTime(),
    tags: t.array(t.string()),
    posts: t.array(Post),
    place: t.object({ city: t.string(), zip: t.string() }),
    constructor: t.string(),
  },
})

const ELEMENTS = [
  { id: 1, name: 'Straße 9', price: '1.50', at: '2026-01-02T00:00:00Z', tags: ['a', 'b'], posts: [] },
  { id: 2, name: 'red fox', price: '10', at: new Date('2026-01-01'), tags: [], posts: [{ title: 'x', likes: 1 }] },
  { id: 3, name: null, price: null, posts: [{ title: 'x', likes: 9 }, { title: 'y' }], place: { city: 'Rom' } },
  { id: 4, name: 7, at: 'never', tags: 'a', posts: {}, place: { city: null } },
]

const posts = (op: 'any' | 'all' | 'none', where: FilterExpression): FilterExpression => ({ op, field: 'posts', where })
const likes: FilterExpression = { op: '>', field: 'likes', value: 5 }
const x: FilterExpression = { op: '=', field: 'title', any: [{ value: 'x' }] }

test.each<[FilterExpression, number[]]>([
  [{ op: '~=', field: 'name', texts: ['STRASSE', 'Raß'] }, [1]],
  [{ op: '~=', field: 'name', texts: ['FOX', '9'] }, [1, 2]],
  [{ op: '!~=', field: 'name', texts: ['FOX', '9'] }, [3, 4]],
  [{ op: '@=', field: 'name', texts: ['fox Red'] }, [2]],
  [{ op: '@=', field: 'name', texts: ['fo', '-'] }, []],
  [{ op: '@=', field: 'name', texts: ['fo', '9'] }, [1]],
  [posts('any', likes), [3]],
  [posts('any', { op: 'and', of: [likes, x] }), [3]],
  [posts('all', x), [1, 2, 4]],
  [posts('none', likes), [1, 2, 4]],
  [{ op: '>', field: 'price', value: '9.9' }, [2]],
  [{ op: '=', field: 'price', any: [{ value: '1.5' }] }, [1]],
  [{ op: '<', field: 'at', value: new Date('2026-01-02') }, [2]],
  [{ op: '!=', field: 'at', any: [{ value: new Date('2026-01-02') }] }, [2, 3, 4]],
  [{ op: '=', field: 'tags', any: [{ value: 'a' }] }, [1]],
  [{ op: '!=', field: 'tags', any: [{ value: 'a' }] }, [1]],
  [{ op: '!', field: 'tags' }, [1]],
  [{ op: '!!', field: 'posts' }, [1, 4]],
  [{ op: '!!', field: 'posts.likes' }, [3]],
  [{ op: '!', field: 'place' }, [3]],
  [{ op: '!!', field: 'place.zip' }, [1, 2, 3, 4]],
  [{ op: '!', field: 'constructor' }, []],
  [{ op: '!=', field: 'name', any: [{ pattern: { text: 'S', before: false, after: true } }] }, [2, 3, 4]],
])('%j', (expression, expected) => {
  expect(ELEMENTS.filter(compileFilter(expression, Blog)).map(({ id }) => id)).toEqual(expected)
})

test('a filter of another media type is a mistake of the program', () => {
  expect(() => compileFilter({ op: '!', field: 'age' }, Blog)).toThrow("names 'age', which is not an attribute")
})
