// The facts that a request provides about the response of its action.
import { describe, expect, it } from 'vitest'
import type { ResponsesSpec } from '../../design/declare/action-response.ts'
import { collectionOf } from '../../design/declare/collection.ts'
import { mediaType } from '../../design/declare/media-type.ts'
import { route } from '../../design/declare/route.ts'
import { endpoint } from '../../design/endpoint.ts'
import { type Attributes, type Kind, makeAttribute } from '../../schema/attribute.ts'
import { t } from '../../schema/t.ts'
import { type ActionIdentity, createActionIdentity, getRequestedView } from './action-identity.ts'

const Blog = mediaType('Blog', { attributes: { id: t.integer() }, views: { short: ['id'] } })
const Fault = mediaType('Fault', { attributes: { reason: t.string() } })

function identity(responses: ResponsesSpec, params: Attributes = {}): ActionIdentity {
  const definition = endpoint('Blogs', { actions: { show: { routing: route.get('/'), params, responses } } })
  return createActionIdentity(definition.resolve().actions.get('show') as never)
}

const shows = (responses: ResponsesSpec): unknown => getRequestedView({ action: identity(responses) }).shows

describe('what an action shows', () => {
  it('is the media type or view of its first successful structure', () => {
    expect(shows({ ok: Blog })).toBe(Blog)
    expect(shows({ ok: collectionOf(Blog) })).toBe(Blog)
    expect(shows({ ok: collectionOf(Blog, { view: 'short' }) })).toBe(Blog.view('short'))
    expect(shows({ ok: t.array(t.array(Blog)) })).toBe(Blog)
    expect(shows({ conflict: Fault, noContent: true, ok: { mediaType: ['text/csv', Blog] } })).toBe(Blog)
  })

  it('is nothing without such a structure', () => {
    expect(shows({ ok: 'text/plain', conflict: Fault })).toBeUndefined()
    expect(shows({ ok: t.object({ id: t.integer() }) })).toBeUndefined()
  })

  it('does not show when an action is printed', () => {
    expect(JSON.stringify(identity({ ok: Blog }))).toBe('{"name":"show"}')
    expect(Object.isFrozen(identity({ ok: Blog }))).toBe(true)
  })
})

describe('what a request tells of it', () => {
  const selection = { fields: new Map() }
  const kind: Kind<undefined> = {
    name: 'only',
    selectsFrom: () => Blog,
    loader: () => (value) => value,
    dumper: () => (value) => value,
    jsonSchema: () => ({ type: 'string' }),
    example: () => 'id',
  }
  const only = makeAttribute(kind, undefined)
  const action = identity({ ok: Blog }, { only })

  it('is the selection that its param holds', () => {
    expect(getRequestedView({ action, params: { only: selection } })).toEqual({ shows: Blog, selection })
    expect(getRequestedView({ action, params: {} })).toEqual({ shows: Blog, selection: undefined })
    expect(getRequestedView({ action, params: { only: 'id' } }).selection).toBeUndefined()
    expect(getRequestedView({ action: identity({ ok: Blog }), params: { only: selection } }).selection).toBe(undefined)
  })

  it('is nothing when the server did not make the request', () => {
    const nothing = { shows: undefined, selection: undefined }
    for (const request of [{}, { action: { name: 'show' } }, { params: { only: selection } }])
      expect(getRequestedView(request)).toEqual(nothing)
    expect(getRequestedView({ action }).selection).toBeUndefined()
  })
})
