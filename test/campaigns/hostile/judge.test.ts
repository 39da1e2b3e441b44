// The judge finds what is wrong with a server that does everything wrong, and nothing where nothing is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAnswers } from './answers.ts'
import { type Details, group, type HostileCase } from './case.ts'
import { Contestant } from './contestant.ts'
import { judge } from './judge.ts'
import { get } from './requests.ts'

let server: Contestant

beforeAll(async () => {
  server = await Contestant.start({ name: 'broken', file: new URL('./broken.ts', import.meta.url) })
})

afterAll(() => server.stop())

const asked = (path: string, more: Details = {}): HostileCase =>
  group('X', 'x', [['A case', get(path), [200, 400, 404], { patience: 500, linger: 30, ...more }]])
    .cases[0] as HostileCase

describe('the judge', () => {
  it.each([
    ['/fails', 'it answers 500'],
    ['/traces', 'it shows a stack trace'],
    ['/traces', 'it shows a path of the server'],
    ['/engine', 'it repeats the engine: Unexpected token'],
    ['/sql', 'it shows a statement of SQL'],
    ['/nonsense', 'it is not HTTP: '],
    ['/short', 'it is not HTTP: the answer ends too early'],
    ['/twice', 'it gives 2 answers: 200,200'],
    ['/framed', 'it is not HTTP: an answer has a length and a transfer coding'],
    ['/folded', 'it is not HTTP: a header line'],
    ['/closes', 'it answers by closing'],
    ['/silent', 'it neither answers nor closes'],
    ['/burns', 'ms of CPU'],
    ['/grows', 'MB of memory'],
  ])('finds what %s does', async (path, fault) => {
    expect((await judge(server, asked(path), 'edict')).faults.join('; ')).toContain(fault)
  })

  it('finds nothing where nothing is', async () => {
    expect((await judge(server, asked('/health'), 'edict')).faults).toEqual([])
    expect((await judge(server, asked('/nothing'), 'anyone')).faults).toEqual([])
  })

  it('holds others to what any server owes only', async () => {
    expect((await judge(server, asked('/engine'), 'anyone')).faults).toEqual([])
    expect((await judge(server, asked('/fails'), 'anyone')).faults).toEqual(['it answers 500'])
    expect((await judge(server, asked('/nothing', { anyone: [200] }), 'anyone')).faults).toEqual(['it answers 404'])
    const own = asked('/health', { own: () => 'our own rule' })
    expect((await judge(server, own, 'anyone')).faults).toEqual([])
    expect((await judge(server, own, 'edict')).faults).toEqual(['our own rule'])
    expect((await judge(server, asked('/health', { safe: () => 'unsafe' }), 'anyone')).faults).toEqual(['unsafe'])
  })

  it('compares the responses of a pipeline with what is expected', async () => {
    const two = (sequence: number[]): HostileCase => ({
      ...asked('/health', { sequence }),
      steps: [get('/health') + get('/nothing')],
    })
    expect((await judge(server, two([200, 404]), 'edict')).faults).toEqual([])
    expect((await judge(server, two([200, 200]), 'edict')).faults).toEqual(['the answers are 200,404'])
  })

  it('finds a changed prototype, and a server that is gone', async () => {
    expect((await judge(server, asked('/pollutes'), 'edict')).faults).toEqual(['every object now has polluted'])
    expect((await judge(server, asked('/stops'), 'anyone')).faults).toContain('the next request is not served')
  })

  it('survives a server that dies', async () => {
    const mortal = await Contestant.start({ name: 'mortal', file: new URL('./broken.ts', import.meta.url) })
    const { faults } = await judge(mortal, asked('/dies'), 'anyone')
    expect(faults).toEqual(['it answers by closing', 'the next request is not served'])
    expect(mortal.alive).toBe(false)
  })
})

describe('answers', () => {
  const read = (text: string, closed = false, head = false) => readAnswers(Buffer.from(text, 'latin1'), closed, head)

  it('are read one behind the other, with lengths, chunks and interim answers', () => {
    const { answers, interim } = read(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ncd\r\n0\r\n\r\n',
    )
    expect(interim).toEqual([100])
    expect(answers.map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, 'ab'],
      [400, 'cd'],
    ])
  })

  it('may end with the connection, or have no body', () => {
    expect(read('HTTP/1.1 200 OK\r\n\r\nabc').partial).toBe(true)
    expect(read('HTTP/1.1 200 OK\r\n\r\nabc', true).answers[0]?.body.toString()).toBe('abc')
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', false, true).answers).toHaveLength(1)
  })

  it.each([
    'HTTP/1.0 200 OK\r\n\r\n',
    'HTTP/1.1 999 OK\r\n\r\n',
    'HTTP/1.1 200\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA : b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na',
    'HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\na',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nrest that is no answer',
  ])('are not %j', (text) => expect(read(text, true).complaint).toBeDefined())
})
