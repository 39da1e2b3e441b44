// Starts the MariaDB that is installed on this machine, with a folder, a port and a password of its own.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { program } from '../../../scripts/machine.ts'
import { run, type Served, serve } from './serve.ts'

/** Starts a server with no databases, or tells that there is none to start; `log` are its options for the log of changes. */
export async function serveMariadb(log: readonly string[] = ['--skip-log-bin']): Promise<Served> {
  const [install, server] = [program('mariadb-install-db'), program('mariadbd')]
  if (install === undefined || server === undefined) {
    const missing = 'not on the PATH, apt-get install mariadb-server'
    return { started: { missing }, stop: async () => undefined }
  }
  const folder = mkdtempSync(join(tmpdir(), 'edict-mariadb-'))
  const password = crypto.randomUUID()
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const [data, first] = [join(folder, 'data'), join(folder, 'first.sql')]
  writeFileSync(first, `set sql_log_bin = 0;\nalter user root@'127.0.0.1' identified by '${password}';\n`, {
    mode: 0o600,
  })
  const initial = ['--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
  // A server that starts removes the temporary tables of all that share its folder for them.
  const temporary = `--tmpdir=${folder}`
  await run(install, [...initial, ...user, `--datadir=${data}`, temporary], { cwd: folder })
  const own = [`--datadir=${data}`, `--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`]
  const apart = ['--bind-address=127.0.0.1', '--skip-name-resolve', `--init-file=${first}`, '--max-connections=200']
  const fast = [...log, '--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0']
  const texts = ['--character-set-server=utf8mb4', '--collation-server=utf8mb4_nopad_bin']
  return serve({
    command: server,
    args: (port) => ['--no-defaults', ...user, `--port=${port}`, ...own, temporary, ...apart, ...fast, ...texts],
    folder,
    signal: 'KILL',
    as: undefined,
    url: (port) => `mysql://root:${password}@127.0.0.1:${port}`,
    connect: async (uri) => (await createConnection({ uri })).end(),
  })
}
