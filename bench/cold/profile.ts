// Where the CPU of edict's cold start goes: several profiled starts, put together by phase and by function.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progress, type Table } from '../growth/report.ts'
import { profiledStart } from './start.ts'

interface Frame {
  readonly functionName: string
  readonly url: string
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface Spent {
  self: number
  whole: number
}

const STARTS = 5

/** The tables of phases and of functions, for the file of a contestant. */
export async function profileTables(file: string): Promise<Table[]> {
  const phases = new Map<string, Spent>()
  const functions = new Map<string, Spent>()
  const modules = new Map<string, Spent>()
  const folder = mkdtempSync(join(tmpdir(), 'edict-cold-'))
  for (let i = 0; i < STARTS; i++) {
    progress(`profile ${i + 1} of ${STARTS}`)
    await profiledStart(file, ['--cpu-prof', '--cpu-prof-interval=100', `--cpu-prof-dir=${folder}`])
  }
  for (const profile of readdirSync(folder))
    for (const [stack, millis] of stacks(JSON.parse(readFileSync(join(folder, profile), 'utf8')) as Profile)) {
      add(phases, phaseOf(stack), millis, true)
      const own = stack.filter(({ url, functionName }) => isOwn(url) && functionName !== '')
      const names = own.map(nameOf)
      for (const name of new Set(names)) add(functions, name, millis, name === names[0])
      if (own[0] !== undefined) add(modules, fileOf(own[0]), millis, true)
    }
  rmSync(folder, { recursive: true, force: true })
  return [
    table(`Where edict's cold start spends its time, mean of ${STARTS} profiled starts`, phases, phases.size),
    table('The ten functions of edict that it spends most in, those below them included', functions, 10),
    table("The ten modules of edict whose own functions take most, Node's included that they call", modules, 10),
  ]
}

/** The stack of each sample, innermost first, with its milliseconds. */
function* stacks({ nodes, samples, timeDeltas }: Profile): Generator<[Frame[], number]> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  for (const [i, sample] of samples.entries()) {
    const stack: Frame[] = []
    for (let at: number | undefined = sample; at !== undefined; at = parents.get(at)) stack.push(frames.get(at)!)
    if (stack[0]!.functionName !== '(idle)') yield [stack, timeDeltas[i]! / 1000]
  }
}

const isOwn = (url: string): boolean => url.includes('/node_modules/edict/dist/')
const fileOf = ({ url }: Frame): string => url.replace(/^.*\/dist\//, '')
const nameOf = (frame: Frame): string => `${frame.functionName} (${fileOf(frame)})`

function phaseOf(stack: readonly Frame[]): string {
  const has = (test: (frame: Frame) => boolean): boolean => stack.some(test)
  const calls = (name: string) => has(({ functionName, url }) => functionName === name && isOwn(url))
  if (stack[0]!.functionName === '(garbage collector)') return 'collecting garbage'
  if (calls('application')) return 'application(): resolving, checking and routing declarations'
  if (calls('take')) return 'the first request'
  if (calls('serve')) return 'serve()'
  if (has(({ url }) => isOwn(url) && stack.some(({ url }) => url.includes('/contestants/'))))
    return 'making declarations'
  if (has(({ url }) => isOwn(url))) return 'evaluating modules'
  if (has(({ url }) => url.includes('internal/modules/esm'))) return 'finding, reading and compiling modules'
  return "Node's own start, sockets and the rest"
}

function add(map: Map<string, Spent>, name: string, millis: number, self: boolean): void {
  const spent = map.get(name) ?? { self: 0, whole: 0 }
  map.set(name, { self: spent.self + (self ? millis : 0), whole: spent.whole + millis })
}

function table(title: string, map: ReadonlyMap<string, Spent>, most: number): Table {
  const sorted = [...map].sort(([, a], [, b]) => b.whole - a.whole).slice(0, most)
  const mean = (millis: number): string => (millis / STARTS).toFixed(1)
  return {
    title,
    head: ['', 'ms', 'of them its own'],
    rows: sorted.map(([name, { self, whole }]) => [name, mean(whole), mean(self)]),
  }
}
