// `npx tsx scripts/bare.ts`: checks the promises of the README on a machine with only Node and npm. Clones HEAD, hides the
// machine's programs with a minimal PATH, and runs the commands of the README verbatim and other cheap scripts of
// package.json there, without CI. The last line is "N passed, N failed", including the tests of `npm test`; their report is
// left in .cache/proved.json, so that CI can skip them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { program } from './machine.ts'
import { type Proved, type Report, reportFile } from './report.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'edict-bare-'))
const clone = join(root, 'edict')
/** The programs of a minimal Debian: Node and npm, git for the clone, and the essential packages. */
const programs = [
  ...['node', 'npm', 'npx', 'git', 'sh', 'bash', 'env', 'id', 'ls', 'cat', 'cp', 'mv', 'rm', 'ln', 'mkdir', 'rmdir'],
  ...[
    'chmod',
    'chown',
    'touch',
    'sleep',
    'uname',
    'dirname',
    'basename',
    'readlink',
    'sed',
    'grep',
    'tr',
    'head',
    'tail',
    'install',
    'cut',
    'tee',
    'find',
  ],
  ...['sort', 'wc', 'date', 'true', 'false', 'test', 'expr', 'mktemp', 'tar', 'gzip', 'locale'],
]
/** Scripts that finish within a minute or two; the others need hours, or are part of `npm test`. */
const scripts: readonly (readonly [script: string, ...args: string[]])[] = [
  // First, before another script creates the files it needs.
  ['campaign', 'hostile', '--only=edict', 'PCT', 'JSN', 'DOC'],
  ['check:package'],
  ['campaign', 'compat'],
  ['campaign', 'fuzz', '--seed', '7', '--minutes', '0.1'],
  ['campaign', 'faults', '--short', 'errors'],
  ['check:dependencies'],
  ['format'],
  ['bench', 'router', '--short'],
]
/** The variables that npm needs to find its registry, and Node to trust it. */
const keptVariables =
  /^(npm_config_(?!local_prefix|global_prefix|prefix|user_agent|node_gyp|init_module).*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|LANG|LC_ALL|TZ)$/i

interface Outcome {
  readonly what: string
  readonly failed: boolean
  readonly seconds: number
}
const outcomes: Outcome[] = []

/** Returns the environment of a minimal machine: a separate home, with the npm settings. */
function createBareEnvironment(): NodeJS.ProcessEnv {
  const bin = join(root, 'machine/bin')
  mkdirSync(bin, { recursive: true })
  for (const name of programs) {
    const path = program(name)
    if (path !== undefined) symlinkSync(path, join(bin, name))
  }
  const home = join(root, 'home')
  mkdirSync(home)
  const readSetting = (name: string): string => {
    const { stdout } = spawnSync('npm', ['config', 'get', name], { cwd: repository, encoding: 'utf8' })
    return stdout.trim()
  }
  const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => keptVariables.test(name)))
  const npm = { npm_config_userconfig: readSetting('userconfig'), npm_config_globalconfig: readSetting('globalconfig') }
  // The cache only saves time; without it, npm downloads from the registry.
  return { ...variables, ...npm, npm_config_cache: readSetting('cache'), PATH: bin, HOME: home }
}

const log = (text: string): void => console.log(`[${new Date().toTimeString().slice(0, 8)}] bare: ${text}`)

/** Runs one step and records its outcome. */
async function runStep(what: string, run: () => unknown): Promise<void> {
  log(what)
  const start = performance.now()
  let failed = false
  try {
    await run()
  } catch (error) {
    failed = true
    console.log(`bare: FAILED ${what}: ${error instanceof Error ? error.message : error}`)
  }
  outcomes.push({ what, failed, seconds: (performance.now() - start) / 1000 })
}

/** Runs a command line like a reader of the README, prints its output and returns it; throws when it fails. */
async function runShell(line: string, env: NodeJS.ProcessEnv, cwd = clone): Promise<string> {
  const child = spawn('bash', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    // Indented, so that its last line is not mistaken for the result of this script.
    createInterface({ input: stream }).on('line', (text) => {
      output += `${text}\n`
      console.log(`  ${text}`)
    })
  }
  const [code, signal] = await once(child, 'close')
  if (code === 0) return output
  throw new Error(`${line} ended with ${signal ?? code}`)
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The seconds from a command of the README to the first response of its server. */
const firstResponses: Record<string, number> = {}

/** Runs a command line that starts a server, waits for its first response, and checks the scripts of the page. */
async function checkServer(line: string, cwd: string, env: NodeJS.ProcessEnv, path: string): Promise<Response> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const settings = { cwd, env: { ...env, PORT: `${port}` }, stdio: 'inherit', detached: true } as const
  const child = spawn('bash', ['-c', line], settings)
  try {
    const page = await waitForResponse(`http://localhost:${port}${path}`, child)
    firstResponses[line] = (performance.now() - startedAt) / 1000
    log(`the first answer came after ${firstResponses[line]?.toFixed(1)} s: ${line}`)
    const scripts = [...(await page.clone().text()).matchAll(/src="([^"]+\.js)"/g)].map(([, file]) => file as string)
    if (scripts.length === 0) throw new Error('the documentation has no scripts')
    for (const file of scripts) {
      const { status, url } = await fetch(new URL(file, page.url))
      if (status !== 200) throw new Error(`${url} answers ${status}`)
    }
    return page
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
}

/** Starts the example as in the README, and waits for its documentation. */
const startExample = (env: NodeJS.ProcessEnv): Promise<Response> =>
  checkServer('npm install && npm start', clone, env, '/api/docs')

/** Creates a project as in the README, with the unpublished package, and waits for its documentation. */
async function startNewProject(env: NodeJS.ProcessEnv): Promise<void> {
  await runShell('npm run build && npm pack --ignore-scripts', env)
  const tarball = readdirSync(clone).find((name) => name.endsWith('.tgz')) as string
  const folder = join(root, 'projects')
  mkdirSync(folder)
  const edict = `npx --yes --package=${join(clone, tarball)} edict`
  await checkServer(`${edict} new library && cd library && npm install && npm start`, folder, env, '/docs')
  await runShell('npm test', env, join(folder, 'library'))
}

async function waitForResponse(url: string, child: ChildProcess): Promise<Response> {
  for (let tries = 0; tries < 3000 && child.exitCode === null; tries++) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok === true) return response
    await sleep(200)
  }
  throw new Error(`${url} does not answer`)
}

const TEST = 'npm ci && npm test'
/** The number of tests and checks of `npm test` that passed. */
let passedTests = 0

/** Runs the tests; they may only skip what npm cannot install, and must report it. */
async function runTests(env: NodeJS.ProcessEnv): Promise<void> {
  const output = await runShell(TEST, env)
  const summary = output.slice(output.lastIndexOf('\nstep '))
  const [, passed] = /\n(\d+) passed, 0 failed\s*$/.exec(summary) ?? []
  if (passed === undefined) throw new Error('the last line of npm test does not tell of success')
  if (output.includes('EBADENGINE')) throw new Error('npm ci installs a package that refuses this Node')
  if (!summary.includes('left to CI')) throw new Error('npm test does not tell what it left to CI')
  passedTests = Number(passed)
  storeReport()
}

/** Stores the report of the tests for CI. */
function storeReport(): void {
  const report: Report = JSON.parse(readFileSync(join(clone, reportFile), 'utf8'))
  const proved: Proved = { report, root: clone }
  mkdirSync(join(repository, '.cache'), { recursive: true })
  writeFileSync(join(repository, '.cache/proved.json'), JSON.stringify(proved))
}

async function main(): Promise<void> {
  const env = createBareEnvironment()
  // Readable like other users' folders: the tests start PostgreSQL as another user.
  chmodSync(root, 0o755)
  for (const name of ['chromium', 'mariadbd', 'nginx', 'valgrind'])
    if (program(name, env) !== undefined) throw new Error(`${name} can be seen`)
  await runStep('git clone', () => {
    const { status, stderr } = spawnSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
  })
  await runStep('npm install && npm start', () => startExample(env))
  await runStep('npx edict new library && cd library && npm install && npm start, npm test', () => startNewProject(env))
  // The state right after npm ci, which the next command of the README runs; the installed packages stay the same.
  await runStep('git clean', () => runShell('git clean -xdfq -e node_modules && rm -rf node_modules/.cache', env))
  for (const [script, ...args] of scripts) {
    await runStep(`npm run ${[script, ...args].join(' ')}`, () =>
      runShell(`npm run ${script} -- ${args.join(' ')}`, env),
    )
  }
  await runStep(TEST, async () => {
    await runShell('git clean -xdfq', env)
    await runTests(env)
  })
  await runStep('npm run check:rules', () => runShell('npm run check:rules -- --summary', env))
}

try {
  await main()
} catch (error) {
  console.log(`bare: ${error instanceof Error ? error.message : error}`)
  outcomes.push({ what: 'the bare machine', failed: true, seconds: 0 })
} finally {
  rmSync(root, { recursive: true, force: true })
}
for (const { what, failed, seconds } of outcomes)
  console.log(`bare: ${failed ? 'FAILED' : 'ok    '} ${seconds.toFixed(0).padStart(5)} s  ${what}`)
const times = { node: process.version, firstAnswers: firstResponses }
mkdirSync(join(repository, '.cache'), { recursive: true })
writeFileSync(join(repository, '.cache/first-answers.json'), `${JSON.stringify(times, null, 2)}\n`)
for (const [line, seconds] of Object.entries(firstResponses))
  console.log(`bare: first answer after ${seconds.toFixed(1)} s: ${line}`)
const failed = outcomes.filter((one) => one.failed).length
console.log(`${outcomes.length - failed + passedTests} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
