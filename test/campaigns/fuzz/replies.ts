// Replies: what a controller is told to answer with a declared response, and what must come back.
import { isDeepStrictEqual } from 'node:util'
import { type Output, outputOf, SECRET } from './answers.ts'
import type { BodySpec, ResponseSpec } from './declarations/api.ts'
import type { Order, Served } from './declarations/build.ts'
import type { Draw } from './draw.ts'
import { broken, problemOf } from './laws.ts'
import type { Answered, Sent } from './transports.ts'

/** A reply that was planned. */
export interface Reply {
  readonly response: ResponseSpec
  readonly respond: Order['respond']
  readonly accept: string | undefined
  /** The content type that must come back; undefined for none. */
  readonly type: string | undefined
  /** The body that must come back: JSON, or bytes. */
  readonly json?: unknown
  readonly bytes?: Buffer
}

const identifier = (name: string): string => `application/vnd.${name.toLowerCase()}+json`

interface Planned {
  readonly given: unknown
  readonly type: string | undefined
  readonly json?: unknown
  readonly bytes?: Buffer
  readonly accept?: string
  readonly mediaType?: string
}

function planned(body: BodySpec, draw: Draw): Planned {
  switch (body.is) {
    case 'media': {
      const { given, json } = outputOf({ kind: 'media', media: body.media, view: body.view }, draw)
      return { given, json, type: identifier(body.media.name) }
    }
    case 'list': {
      const one = (): Output => outputOf({ kind: 'media', media: body.media, view: body.view }, draw)
      const all = Array.from({ length: draw.int(0, 3) }, one)
      const type = `${identifier(body.media.name)};type=collection`
      return { given: all.map(({ given }) => given), json: all.map(({ json }) => json), type }
    }
    case 'value':
      return { ...outputOf(body.shape, draw), type: 'application/json' }
    case 'several':
      if (draw.chance(0.5))
        return { ...planned({ is: 'media', media: body.media, view: undefined }, draw), accept: '*/*' }
      return {
        given: 'a,b',
        bytes: Buffer.from('a,b'),
        type: 'text/csv; charset=utf-8',
        accept: 'text/csv',
        mediaType: 'text/csv',
      }
    default:
      return plainPlan(body.is, draw)
  }
}

function plainPlan(is: 'text' | 'bytes' | 'json' | 'none' | 'failure', draw: Draw): Planned {
  const text = draw.text(draw.int(0, 9), 'json')
  if (is === 'text') return { given: text, bytes: Buffer.from(text), type: 'text/plain; charset=utf-8' }
  if (is === 'bytes') return { given: new Uint8Array([0, 255, 7]), bytes: Buffer.from([0, 255, 7]), type: 'image/png' }
  if (is === 'json') return { given: { a: [text] }, json: { a: [text] }, type: 'application/json' }
  if (is === 'none') return { given: undefined, bytes: Buffer.from(''), type: undefined }
  return { given: text, type: 'application/problem+json' }
}

/** Plans an answer with one of an action's responses. */
export function planReply({ action }: Served, draw: Draw): Reply {
  const response = draw.chance(0.8) ? (action.responses[0] as ResponseSpec) : draw.pick(action.responses)
  // Without a media type, `ok` is a text, and an empty one when none is given.
  const isText = response.name === 'ok' && response.body.is === 'none'
  const plan = planned(response.body, draw)
  const { given, accept, mediaType, ...rest } = isText ? { ...plan, type: 'text/plain; charset=utf-8' } : plan
  const init = {
    ...(response.header && { headers: { 'X-Count': String(draw.int(0, 9)) } }),
    ...(mediaType !== undefined && { mediaType }),
  }
  return { ...rest, response, accept, respond: (reply) => reply[response.name]?.(given, init) }
}

/** The answer is the one that was planned, and nothing undeclared is in it. */
export function isPlanned(sent: Sent, reply: Reply, answered: Answered): void {
  const { response, type } = reply
  if (answered.status !== response.status) broken(`The answer is '${response.name}'`, sent, answered)
  if (answered.headers['content-type'] !== type) broken(`The answer is of type ${type}`, sent, answered)
  if (answered.body.includes(SECRET)) broken('What is not declared never leaves', sent, answered)
  if (response.header && !/^\d$/.test(answered.headers['x-count'] ?? ''))
    broken('A declared header is sent', sent, answered)
  if (response.body.is === 'failure') problemOf(sent, answered)
  if (reply.bytes !== undefined && !reply.bytes.equals(answered.body))
    broken('Plain bodies pass as they are', sent, answered)
  if (!('json' in reply)) return
  const received: unknown = JSON.parse(answered.body.toString())
  const wanted: unknown = JSON.parse(JSON.stringify(reply.json))
  if (!isDeepStrictEqual(received, wanted))
    broken('The body is what the declaration makes of it', sent, answered, `wanted ${JSON.stringify(wanted)}`)
}
