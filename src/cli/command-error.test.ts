import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { describeError } from './command-error.ts'

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function connectAndFail(port: number, host: string): Promise<Error> {
  const [error] = (await once(connect(port, host), 'error').catch((one: unknown) => [one])) as [Error]
  return error
}

test('a server that does not respond is named with a remedy, also as the cause of another error', async () => {
  const port = await findFreePort()
  const expected = `No server responds at 127.0.0.1:${port}, to which the application connects when it is loaded (ECONNREFUSED).
Remedy: start that server, or give the application another address`
  const refused = await connectAndFail(port, '127.0.0.1')
  expect(describeError(refused)).toBe(expected)
  expect(describeError(new Error('Failed query', { cause: new Error('x', { cause: refused }) }))).toBe(expected)
  expect(describeError(new AggregateError([refused]))).toBe(expected)
})

test('so is a name that nobody knows', async () => {
  const error = await connectAndFail(5432, 'database.invalid')
  expect(describeError(error)).toMatch(/^No server responds at database\.invalid, .+ \(E[A-Z_]+\)\.\nRemedy: /)
})

test('any other error has its stack', () => {
  const error = new Error('a mistake of the application')
  expect(describeError(error)).toBe(error.stack)
  const circle = new Error('a')
  circle.cause = circle
  expect(describeError(circle)).toBe(circle.stack)
})
