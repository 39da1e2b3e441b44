// Measures what an API costs the compiler: the same 200 actions in edict and in its peers, checked by both TypeScripts.
// `npm run bench -- types [--quick] [--only name,name] [--json file] [--write]`; quick is TypeScript 7 alone.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { finish, options, progress, short, type Table, type Verdict } from '../growth/report.ts'
import * as edict from './projects/edict.ts'
import * as elysia from './projects/elysia.ts'
import * as hono from './projects/hono.ts'
import * as orpc from './projects/orpc.ts'
import * as tsRest from './projects/ts-rest.ts'

interface Project {
  readonly name: string
  /** Below the packages that it needs: ts-rest wants an older zod than the others. */
  readonly home: string
  readonly source: typeof edict
}

interface Checked {
  readonly instantiations: number
  readonly types: number
  readonly seconds: number
  readonly megabytes: number
}

interface Found {
  readonly name: string
  readonly compiler: string
  readonly base: Checked
  readonly full: Checked
}

const PROJECTS: readonly Project[] = [
  { name: 'edict', home: 'bench/.cache/types', source: edict },
  { name: 'ts-rest', home: 'bench/types/.cache', source: tsRest },
  { name: 'oRPC', home: 'bench/.cache/types', source: orpc },
  { name: 'Hono', home: 'bench/.cache/types', source: hono },
  { name: 'Elysia', home: 'bench/.cache/types', source: elysia },
]
const COMPILERS = [
  { version: '7.0', command: ['node_modules/typescript/bin/tsc', '--singleThreaded'] }, // else shared types count twice
  { version: '5.9', command: ['node_modules/typescript-5.9/bin/tsc'] },
]
const [ACTIONS, BASE, PER_RESOURCE] = [200, 20, 5]

const wanted = options.only?.split(',')
const projects = PROJECTS.filter(({ name }) => wanted === undefined || wanted.includes(name))
const compilers = options.quick ? COMPILERS.slice(0, 1) : COMPILERS
// A build in the middle of a run would change what is measured.
rmSync('bench/.cache/types', { recursive: true, force: true })
cpSync('dist', 'bench/.cache/types/dist', { recursive: true })
const found = compilers.flatMap(({ version, command }) =>
  projects.map((project): Found => {
    const { name } = project
    checkMistakes(project, command)
    const base = check(project, BASE, version, command)
    return { name, compiler: version, base, full: check(project, ACTIONS, version, command) }
  }),
)
finish('types', { tables: compilers.map(({ version }) => table(version)), verdicts: verdicts(), data: found })

function compile(folder: string, command: readonly string[]): { stdout: string; errors: string[] } {
  const args = [...command, '-p', folder, '--extendedDiagnostics', '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return { stdout, errors: stdout.split('\n').filter((line) => line.includes('error TS')) }
}

// Types that came to nothing would be cheap: an answer and an input of the wrong type have to be refused.
function checkMistakes(project: Project, command: readonly string[]): void {
  const right = project.source.resource(0)
  const mistakes = [
    ["'large0', owner: { id", "'huge0', owner: { id"],
    ["q0 ?? ''", "q0?.none ?? ''"],
  ] as const
  const folder = write(project, PER_RESOURCE)
  for (const [good, bad] of mistakes) {
    if (!right.includes(good)) throw new Error(`${project.name} has no ${good}`)
    writeFileSync(`${folder}/items0.ts`, right.replace(good, bad))
    if (compile(folder, command).errors.length === 0) throw new Error(`${project.name} compiles with ${bad}`)
  }
}

function check(project: Project, actions: number, version: string, command: readonly string[]): Checked {
  progress(`${project.name}, ${actions} actions, TypeScript ${version}`)
  const folder = write(project, actions)
  const { stdout, errors } = compile(folder, command)
  if (errors.length > 0)
    throw new Error(`${project.name} does not compile with ${version}:\n${errors.slice(0, 8).join('\n')}`)
  const seconds = read(stdout, 'Check time')
  return {
    instantiations: read(stdout, 'Instantiations'),
    types: read(stdout, 'Types'),
    // The counts are the same each time; the time is not.
    seconds: options.quick ? seconds : Math.min(seconds, read(compile(folder, command).stdout, 'Check time')),
    megabytes: read(stdout, 'Memory used') / 1024,
  }
}

function read(text: string, label: string): number {
  return Number(new RegExp(`^${label}: +([\\d.]+)`, 'm').exec(text)?.[1])
}

function write({ name, home, source }: Project, actions: number): string {
  const folder = `${home}/${name}-${actions}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { edict: ['../dist/index.d.ts'] },
  }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['.'] }))
  writeFileSync(`${folder}/package.json`, JSON.stringify({ type: 'module' }))
  const resources = actions / PER_RESOURCE
  for (let n = 0; n < resources; n++) writeFileSync(`${folder}/items${n}.ts`, source.resource(n))
  writeFileSync(`${folder}/app.ts`, source.whole(resources))
  return folder
}

function perAction({ base, full }: Found, part: keyof Checked): number {
  return (full[part] - base[part]) / (ACTIONS - BASE)
}

function table(version: string): Table {
  const rows = found
    .filter(({ compiler }) => compiler === version)
    .map((one) => [
      one.name,
      short(perAction(one, 'instantiations')),
      short(perAction(one, 'types')),
      short(perAction(one, 'seconds') * 1000),
      short(perAction(one, 'megabytes') * 1024),
      one.full.instantiations.toLocaleString('en'),
      one.full.seconds.toFixed(2),
      short(one.full.megabytes),
    ])
  const each = ['instantiations', 'types', 'check ms', 'memory KB'].map((label) => `${label} per action`)
  const head = ['', ...each, 'instantiations, all', 'check s, all', 'memory MB, all']
  return { title: `TypeScript ${version}, ${ACTIONS} actions`, head, rows }
}

function verdicts(): Verdict[] {
  return compilers.map(({ version }) => {
    const here = found.filter(({ compiler }) => compiler === version)
    const [own, ...others] = here.map((one) => ({ name: one.name, cost: perAction(one, 'instantiations') }))
    const least = others.reduce((a, b) => (b.cost < a.cost ? b : a), { name: 'nobody else', cost: Infinity })
    const text = `TypeScript ${version}: edict has ${short(own!.cost)} instantiations per action, the least of the others is ${least.name} with ${short(least.cost)}`
    return { text, met: own!.cost < least.cost }
  })
}
