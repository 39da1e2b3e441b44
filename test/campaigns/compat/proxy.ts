// Starts nginx, with a folder and ports of its own, in front of two servers on Node.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { all, type Need, program, programNeed } from '../../../scripts/machine.ts'
import type { Target } from './client.ts'
import { answering, end, freePort, type Running, type Runtime, runtimeNeed, runtimes, start } from './runtimes.ts'

/** The targets of the cases: the proxy with three settings, and the server behind it. */
export interface Proxied {
  /** With the settings that we advise; bodies of requests are buffered. */
  readonly advised: Target
  /** The same below a prefix that the server knows; bodies of requests are not buffered. */
  readonly prefixed: Target
  /** With the settings that nginx comes with. */
  readonly asItComes: Target
  /** The server itself, past the proxy. */
  readonly direct: Target
  stop(): Promise<void>
}

const node = runtimes.find(({ name }) => name === 'node 20') as Runtime

/** The needs of a proxy: its program, and the runtime behind it. */
export const proxyNeed: Need = all(programNeed('nginx', 'nginx'), runtimeNeed(node.name, node.program))

/** Starts the proxy and what is behind it. */
export async function startProxy(): Promise<Proxied> {
  const [plain, behind] = await Promise.all([start(node), start(node, '/gateway')])
  const [port, other] = [await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'edict-nginx-'))
  writeFileSync(join(folder, 'nginx.conf'), configured({ folder, plain, behind, port, other }))
  const child = spawn(
    program('nginx') as string,
    ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    {
      stdio: 'ignore',
    },
  )
  await answering(port, child).catch((error: Error) => {
    throw new Error(`${error.message}: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
  })
  return {
    advised: { port, prefix: '' },
    // nginx closes connections on which it did not wait for the whole body, after having said that it keeps them.
    prefixed: { port, prefix: '/gateway', repeats: true },
    asItComes: { port: other, prefix: '' },
    direct: plain,
    async stop() {
      await Promise.all([end(child), plain.stop(), behind.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Places {
  readonly folder: string
  readonly plain: Running
  readonly behind: Running
  readonly port: number
  readonly other: number
}

function configured({ folder, plain, behind, port, other }: Places): string {
  return readFileSync(new URL('./nginx.conf', import.meta.url), 'utf8')
    .replaceAll('FOLDER', folder)
    .replaceAll('UP_PLAIN', String(plain.port))
    .replaceAll('UP_PREFIXED', String(behind.port))
    .replaceAll('PORT_ADVISED', String(port))
    .replaceAll('PORT_DEFAULT', String(other))
}
