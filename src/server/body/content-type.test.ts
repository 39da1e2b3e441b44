import { describe, expect, it } from 'vitest'
import { isJsonType } from '../../util/media-type.ts'
import { createTypeMatcher, isReadableCharset, parseContentType } from './content-type.ts'

const parsed = (header: string): unknown => {
  const type = parseContentType(header)
  return type && [type.essence, Object.fromEntries(type.parameters)]
}

describe('parseContentType', () => {
  it.each([
    ['application/json', 'application/json', {}],
    ['application/json; charset=utf-8', 'application/json', {}],
    ['application/json;charset=UTF-8', 'application/json', { charset: 'UTF-8' }],
    ['Application/JSON ; Charset="utf-8"', 'application/json', { charset: 'utf-8' }],
    ['application/vnd.acme.blog+json', 'application/vnd.acme.blog+json', {}],
    ['multipart/form-data; boundary=----WebKit123', 'multipart/form-data', { boundary: '----WebKit123' }],
    ['multipart/form-data; boundary="a b;c\\"d\\\\"; x=1', 'multipart/form-data', { boundary: 'a b;c"d\\', x: '1' }],
    ['text/plain;', 'text/plain', {}],
    ['text/plain;; charset=utf-8', 'text/plain', { charset: 'utf-8' }],
    ['text/plain; a=""', 'text/plain', { a: '' }],
  ])('%s', (header, essence, parameters) => {
    expect(parsed(header)).toEqual([essence, parameters])
  })

  it.each([
    '',
    'json',
    '/json',
    'application/',
    'application /json',
    'application/json charset=utf-8',
    'a/b; charset',
    'a/b; charset = utf-8',
    'a/b; charset="utf-8',
    'a/b; =x',
    'a/b; x=',
    'a/b; x=1; X=2',
    'a/b, c/d',
    'a/b/c',
    `a/b; x="${'y'.repeat(2000)}"`,
  ])('%s is malformed', (header) => {
    expect(parsed(header)).toBeUndefined()
  })

  it('does not hang on hostile parameters', () => {
    for (let i = 0; i < 200; i++) expect(parsed(`a/b${'; '.repeat(300)}; x="${'\\'.repeat(380)}`)).toBeUndefined()
  })
})

describe('accepts', () => {
  const json = createTypeMatcher(['application/json', 'application/*+json'])

  it.each(['application/json', 'application/merge-patch+json', 'application/vnd.a.b+json'])('%s is JSON', (type) => {
    expect([json(type), isJsonType(type)]).toEqual([true, true])
  })

  it.each([
    'text/json5',
    'application/+json',
    'application/jsonx',
    'application/xml',
    'text/plain',
    'xapplication/json',
  ])('%s is not', (type) => expect(json(type)).toBe(false))

  it('matches all of a type, and everything', () => {
    const [text, all, none] = [createTypeMatcher(['text/*']), createTypeMatcher(['*/*']), createTypeMatcher([])]
    expect([text('text/csv'), text('text/'), text('image/text'), text('texts/csv')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect([all('image/png'), all('a/b'), none('a/b')]).toEqual([true, true, false])
  })

  it('compares without letter case and parameters of the declaration', () => {
    expect(createTypeMatcher(['Text/CSV; charset=utf-8'])('text/csv')).toBe(true)
  })
})

it.each([
  ['a/b', true],
  ['a/b; charset=utf-8', true],
  ['a/b; charset=UTF8', true],
  ['a/b; charset="US-ASCII"', true],
  ['a/b; charset=iso-8859-1', false],
  ['a/b; charset=utf-16', false],
])('the charset of %s is readable: %s', (header, readable) => {
  const type = parseContentType(header)
  expect(type && isReadableCharset(type)).toBe(readable)
})
