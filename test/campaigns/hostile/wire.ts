// Plays the steps of a case on a raw socket and gathers what the server has to say to it.
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { cert } from '../../support/serving/certificate.ts'
import { type Answer, readAnswers } from './answers.ts'
import type { Step } from './case.ts'

/** The observed behaviour of a server in a case. */
export interface Seen {
  readonly answers: readonly Answer[]
  readonly interim: readonly number[]
  /** Set when what came back is not HTTP. */
  readonly complaint?: string
  /** The server closed the connection. */
  readonly closed: boolean
  /** Neither an answer nor the end of the connection came in time. */
  readonly silent: boolean
  /** All that came back, one character for each byte. */
  readonly text: string
}

/** How a case is played. */
export interface Play {
  readonly port: number
  /** Whether the server speaks TLS. */
  readonly tls?: boolean
  readonly steps: readonly Step[]
  /** How many answers end it. */
  readonly expected: number
  readonly head: boolean
  readonly linger: number
  readonly patience: number
}

/** Plays a case; resolves when its answers are there, the connection has ended or patience has. */
export function play({ port, tls = false, steps, expected, head, linger, patience }: Play): Promise<Seen> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let closed = false
    const left = steps.includes('RESET')
    let lingering: NodeJS.Timeout | undefined
    const socket: Socket = tls ? connectSecurely({ port, host: '127.0.0.1', ca: cert }) : connect(port, '127.0.0.1')
    const finish = (): void => {
      clearTimeout(timer)
      clearTimeout(lingering)
      socket.destroy()
      const stream = Buffer.concat(chunks)
      const { partial, complaint, ...reading } = readAnswers(stream, closed, head)
      const cut = partial && closed && !left ? 'the answer ends too early' : undefined
      const wrong = complaint ?? cut
      const silent = !closed && reading.answers.length < expected
      const text = stream.toString('latin1')
      resolve({ ...reading, ...(wrong !== undefined && { complaint: wrong }), closed, silent, text })
    }
    const timer = setTimeout(finish, patience)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (lingering !== undefined || readAnswers(Buffer.concat(chunks), false, head).answers.length < expected) return
      lingering = setTimeout(finish, linger)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      closed = true
      finish()
    })
    socket.on(tls ? 'secureConnect' : 'connect', () => void speak(socket, steps).then((gone) => gone && finish()))
  })
}

/** Takes the steps one after the other; true when the client disappeared. */
async function speak(socket: Socket, steps: readonly Step[]): Promise<boolean> {
  socket.setNoDelay(true)
  for (const step of steps) {
    if (socket.destroyed) return false
    if (step === 'END') socket.end()
    else if (step === 'DEAF') socket.pause()
    else if (step === 'RESET') {
      // The written bytes must have left, or the server would never see them.
      await new Promise((resolve) => setTimeout(resolve, 5))
      // Under TLS the end cannot be a reset, but it comes without a word all the same.
      if ('encrypted' in socket) socket.destroy()
      else socket.resetAndDestroy()
      await new Promise((resolve) => setTimeout(resolve, 20))
      return true
    } else if (typeof step === 'string') socket.write(step, 'latin1')
    else if (step instanceof Uint8Array) socket.write(step)
    else await new Promise((resolve) => setTimeout(resolve, step.wait))
  }
  return false
}
