// A lean request can be used as a stream at any time.
import { createServer, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { Wire } from '../../../../test/support/serving/wire.ts'
import { LeanRequest } from './lean-request.ts'

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const withBody = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabcdef'
const without = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

async function iterated(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const readers: Record<string, (request: IncomingMessage) => Promise<string>> = {
  iterated,
  piped: (request) => iterated(request.pipe(new PassThrough()) as unknown as IncomingMessage),
  listened: (request) =>
    new Promise((resolve) => {
      let text = ''
      request.addListener('data', (chunk) => {
        text += chunk
      })
      request.once('end', () => resolve(text))
    }),
  async resumed(request) {
    const ending = finished(request)
    request.resume()
    await ending
    return 'nothing read'
  },
}

/** Serves one connection with the given class of requests; resolves with the output at its end. */
async function wire(
  Message: typeof IncomingMessage,
  sent: string,
  handle: (request: IncomingMessage) => Promise<string>,
): Promise<string> {
  const server = createServer({ IncomingMessage: Message }, (request, response) => {
    void handle(request).then((text) => response.end(`<${text}>`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = await Wire.open((server.address() as AddressInfo).port)
  client.send(sent)
  await client.answers(2)
  client.close()
  await new Promise((resolve) => server.close(resolve))
  return client.text.replaceAll(/Date: .*\r\n/g, '')
}

describe.each(Object.keys(readers))('%s', (name) => {
  const read = readers[name]!
  const late = async (request: IncomingMessage): Promise<string> => {
    await sleep(20)
    return read(request)
  }

  it.each([
    ['without a body', `${without}${without}`],
    ['with bodies', `${withBody}${withBody}`],
    ['mixed', `${without}${withBody}`],
    ['chunked', `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n${without}`],
  ])('at once or late, reads the same as from an ordinary request: %s', async (_, sent) => {
    const ordinary = await wire(IncomingMessage, sent, read)
    expect(await wire(LeanRequest, sent, read)).toBe(ordinary)
    expect(await wire(LeanRequest, sent, late)).toBe(ordinary)
  })
})

it('is told when the client goes', async () => {
  const events: string[] = []
  let started = false
  const server = createServer({ IncomingMessage: LeanRequest }, (request) => {
    started = true
    request.on('close', () => events.push('close')).on('error', () => events.push('error'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = await Wire.open((server.address() as AddressInfo).port)
  client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc')
  await expect.poll(() => started).toBe(true)
  client.close()
  await expect.poll(() => events).toEqual(['error', 'close'])
  server.close()
})
