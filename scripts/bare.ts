// `npx tsx scripts/bare.ts`: what the README promises of a machine with Node, npm and nothing else. Clones HEAD, hides the
// programs of this machine behind a PATH of its own, and runs the commands of the README, whole and as they are written, and
// other cheap scripts of package.json there, without CI. The last line is "N passed, N failed", the tests of the README's
// command included; its report is left in .cache/proved.json, for CI to run the rest.
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
/** The programs of Debian without any further package: Node and npm, git for the clone, and the packages that are essential. */
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
/** Scripts that answer within a minute or two; the others need hours, or are part of `npm test`. */
const scripts: readonly (readonly [script: string, ...args: string[]])[] = [
  // Before anything else has made what it needs.
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
const kept =
  /^(npm_config_(?!local_prefix|global_prefix|prefix|user_agent|node_gyp|init_module).*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|LANG|LC_ALL|TZ)$/i

interface Outcome {
  readonly what: string
  readonly failed: boolean
  readonly seconds: number
}
const outcomes: Outcome[] = []

/** The variables of a machine that has nothing: a home of its own, with the settings of npm. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const bin = join(root, 'machine/bin')
  mkdirSync(bin, { recursive: true })
  for (const name of programs) {
    const path = program(name)
    if (path !== undefined) symlinkSync(path, join(bin, name))
  }
  const home = join(root, 'home')
  mkdirSync(home)
  const setting = (name: string): string => {
    const { stdout } = spawnSync('npm', ['config', 'get', name], { cwd: repository, encoding: 'utf8' })
    return stdout.trim()
  }
  const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)))
  const npm = { npm_config_userconfig: setting('userconfig'), npm_config_globalconfig: setting('globalconfig') }
  // The cache is a matter of speed; without one, npm asks its registry.
  return { ...variables, ...npm, npm_config_cache: setting('cache'), PATH: bin, HOME: home }
}

const say = (text: string): void => console.log(`[${new Date().toTimeString().slice(0, 8)}] bare: ${text}`)

/** Runs one thing and keeps what became of it. */
async function step(what: string, run: () => unknown): Promise<void> {
  say(what)
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

/** Runs a command line as a reader of the README would, shows what it says, and gives it; failing is an error. */
async function shell(line: string, env: NodeJS.ProcessEnv, cwd = clone): Promise<string> {
  const child = spawn('bash', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    // Indented, so that its last line is not taken for ours.
    createInterface({ input: stream }).on('line', (text) => {
      output += `${text}\n`
      console.log(`  ${text}`)
    })
  }
  const [code, signal] = await once(child, 'close')
  if (code === 0) return output
  throw new Error(`${line} ended with ${signal ?? code}`)
}

async function freePort(): Promise<number> {
  const held = createServer()
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve))
  const address = held.address()
  await new Promise((resolve) => held.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Seconds from a command of the README to the first answer of its server. */
const firstAnswers: Record<string, number> = {}

/** Runs commands that end with a server, and gives it to a function as soon as it answers. */
async function serving(line: string, cwd: string, env: NodeJS.ProcessEnv, path: string): Promise<Response> {
  const port = await freePort()
  const begun = performance.now()
  const settings = { cwd, env: { ...env, PORT: `${port}` }, stdio: 'inherit', detached: true } as const
  const child = spawn('bash', ['-c', line], settings)
  try {
    const page = await answered(`http://localhost:${port}${path}`, child)
    firstAnswers[line] = (performance.now() - begun) / 1000
    say(`the first answer came after ${firstAnswers[line]?.toFixed(1)} s: ${line}`)
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

/** Starts the example as the README says, and waits for its documentation with all that it is made of. */
const starts = (env: NodeJS.ProcessEnv): Promise<Response> =>
  serving('npm install && npm start', clone, env, '/api/docs')

/** Makes a project as the README says, with the package that is not published yet, and waits for its documentation. */
async function startsNew(env: NodeJS.ProcessEnv): Promise<void> {
  await shell('npm run build && npm pack --ignore-scripts', env)
  const tarball = readdirSync(clone).find((name) => name.endsWith('.tgz')) as string
  const folder = join(root, 'projects')
  mkdirSync(folder)
  const edict = `npx --yes --package=${join(clone, tarball)} edict`
  await serving(`${edict} new library && cd library && npm install && npm start`, folder, env, '/docs')
  await shell('npm test', env, join(folder, 'library'))
}

async function answered(url: string, child: ChildProcess): Promise<Response> {
  for (let tries = 0; tries < 3000 && child.exitCode === null; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok === true) return answer
    await sleep(200)
  }
  throw new Error(`${url} does not answer`)
}

const TEST = 'npm ci && npm test'
/** The tests and checks of `npm test` that passed. */
let passedTests = 0

/** Runs the tests; what they skip must be what npm cannot bring, and told. */
async function tested(env: NodeJS.ProcessEnv): Promise<void> {
  const output = await shell(TEST, env)
  const summary = output.slice(output.lastIndexOf('\nstep '))
  const [, passed] = /\n(\d+) passed, 0 failed\s*$/.exec(summary) ?? []
  if (passed === undefined) throw new Error('the last line of npm test does not tell of success')
  if (output.includes('EBADENGINE')) throw new Error('npm ci installs a package that refuses this Node')
  if (!summary.includes('left to CI')) throw new Error('npm test does not tell what it left to CI')
  passedTests = Number(passed)
  keepReport()
}

/** Leaves the report of the tests for CI. */
function keepReport(): void {
  const report: Report = JSON.parse(readFileSync(join(clone, reportFile), 'utf8'))
  const proved: Proved = { report, root: clone }
  mkdirSync(join(repository, '.cache'), { recursive: true })
  writeFileSync(join(repository, '.cache/proved.json'), JSON.stringify(proved))
}

async function main(): Promise<void> {
  const env = bareEnvironment()
  // As other folders of users are: the tests start PostgreSQL as another user.
  chmodSync(root, 0o755)
  for (const name of ['chromium', 'mariadbd', 'nginx', 'valgrind'])
    if (program(name, env) !== undefined) throw new Error(`${name} can be seen`)
  await step('git clone', () => {
    const { status, stderr } = spawnSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
  })
  await step('npm install && npm start', () => starts(env))
  await step('npx edict new library && cd library && npm install && npm start, npm test', () => startsNew(env))
  // As right after npm ci, which the next README command runs; what was installed is the same.
  await step('git clean', () => shell('git clean -xdfq -e node_modules && rm -rf node_modules/.cache', env))
  for (const [script, ...args] of scripts) {
    await step(`npm run ${[script, ...args].join(' ')}`, () => shell(`npm run ${script} -- ${args.join(' ')}`, env))
  }
  await step(TEST, async () => {
    await shell('git clean -xdfq', env)
    await tested(env)
  })
  await step('npm run check:rules', () => shell('npm run check:rules -- --summary', env))
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
const times = { node: process.version, firstAnswers }
mkdirSync(join(repository, '.cache'), { recursive: true })
writeFileSync(join(repository, '.cache/first-answers.json'), `${JSON.stringify(times, null, 2)}\n`)
for (const [line, seconds] of Object.entries(firstAnswers))
  console.log(`bare: first answer after ${seconds.toFixed(1)} s: ${line}`)
const failed = outcomes.filter((one) => one.failed).length
console.log(`${outcomes.length - failed + passedTests} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
