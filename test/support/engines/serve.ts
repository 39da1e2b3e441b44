// Runs a server process that can never outlive the process that started it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Started } from './engine.ts'

/** A server for the whole run. */
export interface Served {
  readonly started: Started
  stop(): Promise<void>
  /** Ends the server at once, as a crash would, and starts it again with its folder. */
  restart?(): Promise<void>
  /** Ends the server, and all processes that it has started, as a machine that stops would. */
  kill?(): Promise<void>
  /** Starts it again with its folder after `kill`. */
  start?(): Promise<void>
}

/** A user of this machine. */
export interface User {
  readonly uid: number
  readonly gid: number
}

/** How a server is run. */
export interface Service {
  readonly command: string
  readonly args: (port: number) => readonly string[]
  /** Its folder; removed when it ends. */
  readonly folder: string
  /** The signal that ends it at once. */
  readonly signal: string
  /** Whose process it is, when not ours. */
  readonly as: User | undefined
  readonly url: (port: number) => string
  /** Connects to it; throws as long as that is not possible. */
  readonly connect: (url: string) => Promise<void>
  /** The port, when it is not any that is free. */
  readonly port?: number
}

// The pipe on fd 3 ends when our process does, however it ends: then the server goes, and its folder with it. The shell
// itself stays silent, as writing to a process that is gone would end it too early. A file "again" in the folder asks for
// another start, which waits until there is no file "hold".
const guard = `
folder=$1 signal=$2; shift 2
exec 3<&0 4>&2 2>/dev/null
end() { kill -s "$1" "$(cat "$folder/pid.now")"; }
{ cat <&3 >/dev/null; rm -f "$folder/again" "$folder/hold"; end "$signal"; sleep 5; end KILL; } 4>&- &
watcher=$!
while :; do
  "$@" </dev/null 2>&4 3<&- 4>&- &
  server=$!
  echo "$server" >"$folder/pid.now"
  wait "$server"
  while [ -e "$folder/hold" ]; do sleep 0.05; done
  rm "$folder/again" || break
done
kill "$watcher"
cd / && rm -rf "$folder"
`

/** Starts a server on a free port and waits until it can be connected to. */
export async function serve(service: Service): Promise<Served> {
  const port = service.port ?? (await freePort())
  const { command, args, folder, signal, as } = service
  const child = spawn('sh', ['-c', guard, 'sh', folder, signal, command, ...args(port)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    cwd: folder,
    ...as,
  })
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000)
  })
  const stop = stopper(child)
  const url = service.url(port)
  const reached = async (): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      if (child.exitCode !== null) throw new Error(`${command} ended: ${log}`)
      const failure = await service.connect(url).catch((error: unknown) => error ?? 'no reason')
      if (failure === undefined) return
      await sleep(50)
    }
    await stop()
    throw new Error(`${command} could not be reached: ${log}`)
  }
  const current = (): number => Number(readFileSync(join(folder, 'pid.now'), 'utf8'))
  const restart = async (): Promise<void> => {
    const before = current()
    writeFileSync(join(folder, 'again'), '')
    process.kill(before, `SIG${signal}`)
    while (current() === before || current() === 0) await sleep(5)
    await reached()
  }
  const held = join(folder, 'hold')
  const kill = async (): Promise<void> => {
    for (const name of ['again', 'hold']) writeFileSync(join(folder, name), '')
    const pid = current()
    const all = [pid, ...childrenOf(pid)]
    for (const one of all) end(one)
    while (all.some(isAlive)) await sleep(5)
  }
  const start = async (): Promise<void> => {
    rmSync(held, { force: true })
    await reached()
  }
  await reached()
  return { started: { url }, stop, restart, kill, start }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

// One that has ended stays in the table of processes until its parent has asked for it.
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function stopper(child: ChildProcess): () => Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return () => {
    child.stdin?.end()
    return ended
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Runs a program to its end; what it wrote is in the error when it fails. */
export const run = promisify(execFile)
