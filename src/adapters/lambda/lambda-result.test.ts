// Results of AWS Lambda: text bodies are sent as text, others in base64.
import { expect, it } from 'vitest'
import { buildLambdaResult } from './lambda-result.ts'

const createResponse = (...headers: string[]) => ({ status: 200, headers, body: 'sent' }) as never
const text = new TextEncoder().encode('{"ä":1}')
const odd = Uint8Array.of(0xff, 0xfe)

it.each([
  ['application/json', text, [], true],
  ['application/json; charset=utf-8', text, [], true],
  ['APPLICATION/JSON', text, [], true],
  ['application/problem+json', text, [], true],
  ['application/vnd.a.b-c+xml', text, [], true],
  ['text/csv', text, [], true],
  ['application/x-www-form-urlencoded', text, [], true],
  ['application/jsonl', text, [], false],
  ['application/octet-stream', text, [], false],
  ['image/svg', text, [], false],
  ['x-text/plain', text, [], false],
  ['text/plain', odd, [], false],
  ['text/plain', text, ['Content-Encoding', 'gzip'], false],
] as const)('bytes of %s (%#)', (type, bytes, more, isText) => {
  const { body, isBase64Encoded } = buildLambdaResult('GET', createResponse('Content-Type', type, ...more), bytes)
  expect(isBase64Encoded).toBe(!isText)
  expect(Buffer.from(body, isText ? 'utf8' : 'base64')).toEqual(Buffer.from(bytes))
})

it('a text is one whatever its type, and HEAD has none', () => {
  const type = createResponse('Content-Type', 'application/octet-stream')
  expect(buildLambdaResult('GET', type, 'ä')).toMatchObject({ body: 'ä', isBase64Encoded: false })
  expect(buildLambdaResult('HEAD', type, 'ä')).toMatchObject({ body: '', isBase64Encoded: false })
  expect(buildLambdaResult('GET', type, null)).toMatchObject({ body: '', isBase64Encoded: false })
})

it('many bytes are the same in base64', () => {
  const many = Uint8Array.from({ length: 70_000 }, (_, i) => i % 251)
  const { body } = buildLambdaResult('GET', createResponse('Content-Type', 'image/png'), many)
  expect(Buffer.from(body, 'base64').equals(many)).toBe(true)
})
