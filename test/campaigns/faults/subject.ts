// The server under test as a process: started, asked, signalled, and never left behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text as textIn } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundled } from '../../support/bundle.ts'
import { cert, key } from '../../support/serving/certificate.ts'
import type { Gauge, Settings } from './app/settings.ts'
import type { Protocol } from './talks.ts'

const PROGRAM = new URL('./app/main.ts', import.meta.url)

/** One line of the server's log. */
export interface Line {
  readonly level: string
  readonly message: string
  readonly err?: string
  readonly [field: string]: unknown
}

/** A server process. */
export class Subject {
  readonly process: ChildProcess
  readonly log: Line[] = []
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>
  port = 0
  alive = true

  readonly protocol: Protocol

  private constructor(script: string, protocol: Protocol, settings: Settings) {
    this.protocol = protocol
    this.process = spawn(process.execPath, [script, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    let rest = ''
    this.process.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.log.push(lineOf(line))
    })
    this.ended = new Promise((resolve) => {
      this.process.on('exit', (code, signal) => {
        this.alive = false
        resolve(code ?? signal ?? 'unknown')
      })
    })
  }

  /** Starts a server; resolves when it listens, and fails if it ends before. */
  static async start(protocol: Protocol, settings: Settings = {}): Promise<Subject> {
    const tls = protocol === 'http' ? {} : { tls: { key, cert } }
    const subject = new Subject(await bundled(PROGRAM), protocol, {
      ...settings,
      serve: { ...tls, ...settings.serve },
    })
    const ready = new Promise<number>((resolve) => {
      subject.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        const port = /ready (\d+)/.exec(chunk)?.[1]
        if (port !== undefined) resolve(Number(port))
      })
    })
    const failed = subject.ended.then((code) => {
      throw new Error(`The server ended with ${code}: ${subject.log.map(({ message }) => message).join('\n')}`)
    })
    subject.port = await Promise.race([ready, failed])
    failed.catch(() => {})
    return subject
  }

  /** Asks once on a connection of its own; a status of 0 when there was no answer within the time. */
  ask(path: string, within = 5000): Promise<{ status: number; text: string }> {
    const request = this.protocol === 'http' ? plainRequest : secureRequest
    const to = { host: '127.0.0.1', port: this.port, path, ca: cert, agent: false, signal: AbortSignal.timeout(within) }
    return new Promise((resolve) => {
      const none = (): void => resolve({ status: 0, text: '' })
      const asked = request(to, (answer) => {
        textIn(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), none)
      })
      asked.on('error', none).end()
    })
  }

  /** Reads the gauge of the process. */
  async gauge(): Promise<Gauge> {
    return JSON.parse((await this.ask('/gauge')).text) as Gauge
  }

  /** The file descriptors that the process has open. */
  descriptors(): number {
    return readdirSync(`/proc/${this.process.pid}/fd`).length
  }

  /** The processes that it started and that are still there. */
  workers(): number[] {
    return childrenOf(this.process.pid as number)
  }

  /** The processes that answer requests. */
  async serving(): Promise<Set<number>> {
    const answers = await Promise.all(Array.from({ length: 10 }, () => this.ask('/wait/1')))
    return new Set(answers.filter(({ status }) => status === 200).map(({ text }) => Number(text)))
  }

  /** The lines of the log at a level. */
  lines(level: string): Line[] {
    return this.log.filter((line) => line.level === level)
  }

  /** Ends the process and its workers without any grace. */
  async kill(): Promise<void> {
    const workers = this.alive ? this.workers() : []
    this.process.kill('SIGKILL')
    for (const pid of workers) end(pid)
    await this.ended
  }
}

function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line
  } catch {
    return { level: 'raw', message: text }
  }
}

/** The children of a process. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return ppid === parent ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone by itself.
  }
}

/** Waits until something is true; false if that takes too long. */
export async function until(found: () => boolean | Promise<boolean>, within = 15_000): Promise<boolean> {
  const latest = performance.now() + within
  while (performance.now() < latest) {
    if (await found()) return true
    await sleep(25)
  }
  return false
}
