// Cases of streams, failures, sizes and alphabets.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { group } from '../case.ts'
import { type Answered, ask, open, type Target } from '../client.ts'

const streams = group('streams', {
  'pieces arrive when they are made': async (target) => {
    const answer = await open(target, 'GET /api/streams/pieces')
    let [text, first, last] = ['', 0, 0]
    answer.setEncoding('utf8')
    for await (const piece of answer) {
      text += piece
      last = performance.now()
      if (first === 0) first = last
    }
    equal(text, 'one\nzwei – 二\nthree\n')
    ok(last - first > 200, `all pieces came within ${Math.round(last - first)} ms`)
  },
  'four megabytes, byte for byte': async (target) => {
    const { bytes } = await ask(target, 'GET /api/streams/long')
    equal(bytes.length, 4 * 1024 * 1024)
    for (let i = 0; i < 64; i++) ok(bytes[i * 65_536] === i && bytes[i * 65_536 + 65_535] === i, `piece ${i}`)
  },
  'a web stream': async (target) => equal((await ask(target, 'GET /api/streams/web')).text, 'from a blob'),
  'a stream that fails does not look whole': async (target) => {
    await rejects(ask(target, 'GET /api/streams/broken'))
    equal((await ask(target, 'GET /api/paths')).text, 'root')
  },
  'a client that leaves ends the stream': async (target) => {
    const before = (await ask(target, 'GET /api/streams/ended')).json.ended
    const answer = await open(target, 'GET /api/streams/endless')
    await new Promise((resolve) => answer.once('data', resolve))
    answer.destroy()
    for (let i = 0; i < 400; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if ((await ask(target, 'GET /api/streams/ended')).json.ended > before) return
    }
    throw new Error('the stream goes on after 20 seconds')
  },
})

/** Nothing of what went wrong inside may be told. */
function isDiscreet({ status, text, headers, json }: Answered, wanted: number, code: string): void {
  deepEqual([status, json.code], [wanted, code])
  equal(headers['content-type'], 'application/problem+json')
  equal(headers['x-content-type-options'], 'nosniff')
  ok(!/swordfish|\bat .*:\d+|stack/.test(text), text)
}

const errors = group('errors', {
  'what is thrown stays inside': async (target) =>
    isDiscreet(await ask(target, 'GET /api/failures/thrown'), 500, 'internal'),
  'an answer that breaks its declaration does not leave': async (target) =>
    isDiscreet(await ask(target, 'GET /api/failures/broken'), 500, 'internal'),
  'an action that takes too long is given up': async (target) =>
    isDiscreet(await ask(target, 'GET /api/failures/late'), 503, 'deadline-exceeded'),
  'a failure of an action is a problem': async (target) => {
    const answer = await ask(target, 'GET /api/failures/conflict')
    isDiscreet(answer, 409, 'conflict')
    equal(answer.json.detail, '<script>alert("é")</script>')
  },
  'what clients send comes back as data only': async (target) => {
    const { headers, json } = await ask(target, 'GET /api/searches/A1?%3Cscript%3E=1')
    equal(headers['content-type'], 'application/problem+json')
    deepEqual(json.errors[0].pointer, '/<script>')
  },
})

const zeros = (count: number): string => `"${'0'.repeat(count - 2)}"`
const json = { 'content-type': 'application/json' }

async function tooLarge(target: Target, body: unknown): Promise<void> {
  const answer = await ask(target, 'POST /api/uploads/echo', { headers: json, body })
  isDiscreet(answer, 413, 'payload-too-large')
  equal((await ask(target, 'GET /api/paths')).text, 'root')
}

const large = group('large', {
  'a megabyte there and back': async (target) => {
    const body = zeros(1024 * 1024)
    const { status, text } = await ask(target, 'POST /api/uploads/echo', { headers: json, body })
    deepEqual([status, text.length, text === body], [200, body.length, true])
  },
  'one byte more is refused': (target) => tooLarge(target, zeros(1024 * 1024 + 1)),
  'more in chunks is refused': (target) =>
    tooLarge(
      target,
      Array.from({ length: 17 }, () => '0'.repeat(65_536)),
    ),
  'eight megabytes into a stream': async (target) => {
    const body = Array.from({ length: 128 }, () => new Uint8Array(65_536))
    const sent = { headers: { 'content-type': 'application/octet-stream' }, body }
    deepEqual((await ask(target, 'PUT /api/uploads/stream', sent)).json, { size: 8 * 1024 * 1024 })
  },
  'a query of 5 KB': async (target) => {
    const { json } = await ask(target, `GET /api/searches/A1?tags=${'z'.repeat(5000)}`)
    equal(json.tags[0].length, 5000)
  },
  'more pairs than allowed': async (target) => {
    equal((await ask(target, `GET /api/searches/A1?${'tags=a&'.repeat(201)}`)).status, 400)
  },
})

const text = 'Ĝis ★ 情書 📚 אבג e\u0301'
const unicode = group('unicode', {
  'in a path': async (target) => {
    const { json } = await ask(target, `GET /api/paths/captures/1/${encodeURIComponent(text)}`)
    equal(json.name, text)
  },
  'in a query': async (target) => {
    const { json } = await ask(target, `GET /api/searches/A1?tags=${encodeURIComponent(text)}`)
    deepEqual(json.tags, [text])
  },
  'in JSON, also escaped': async (target) => {
    const sent = { headers: json, body: `{"${text}":"${text}","\\u00e9":"\\ud83d\\udcda"}` }
    deepEqual((await ask(target, 'POST /api/uploads/echo', sent)).json, { [text]: text, é: '📚' })
  },
  'in a form': async (target) => {
    const sent = {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `title=${encodeURIComponent(text)}`,
    }
    equal((await ask(target, 'POST /api/uploads/notes', sent)).json.title, text)
  },
  'bytes that are not UTF-8 are refused': async (target) => {
    const body = Buffer.from([0x22, 0xff, 0x22])
    equal((await ask(target, 'POST /api/uploads/echo', { headers: json, body })).status, 400)
  },
})

/** All of them. */
export const answerCases = [...streams, ...errors, ...large, ...unicode]
