// The messages of compilers and boot for the mistakes of this folder: all of them in one project, beside their corrections.
import { resolve } from 'node:path'
import * as edict from 'edict'
import { application, endpoint, route, verifier } from 'edict'
import * as client from 'edict/client'
import * as mapper from 'edict/mapper'
import * as pagination from 'edict/pagination'
import { compilers, diagnose, type Version, writeProject } from '../../../scripts/types/project.ts'
import * as cinemaClient from '../cinema/client.ts'
import * as design from '../cinema/design.ts'
import * as server from '../cinema/server.ts'
import { calls, selections } from './calls.ts'
import { controllers } from './controllers.ts'
import { lists } from './lists.ts'
import { responses } from './responses.ts'
import { settings } from './settings.ts'
import { readSnippet, type Snippet } from './snippets.ts'

/** An error of a compiler. */
export interface Found {
  readonly code: string
  /** The text from the place that the compiler names: the marked one, or the rest of the line. */
  readonly at: string
  readonly isMarked: boolean
  /** The first line of the message. */
  readonly message: string
}

/** One mistake and what is said about it. */
export interface Checked {
  readonly table: string
  readonly name: string
  /** Why it is left to the run time. */
  readonly left: string | undefined
  readonly wrong: Readonly<Record<Version, readonly Found[]>>
  /** The messages of the compilers for the corrected text: none. */
  readonly right: readonly string[]
  readonly boot: string
}

const folder = '.cache/editor/mistakes'
const tables = { settings, responses, controllers, lists, calls, selections }
const entries: Readonly<Record<string, object>> = {
  edict,
  'edict/client': client,
  'edict/mapper': mapper,
  'edict/pagination': pagination,
  '../../../test/editor/cinema/client.ts': cinemaClient,
  '../../../test/editor/cinema/design.ts': design,
  '../../../test/editor/cinema/server.ts': server,
}

const all = Object.entries(tables).flatMap(([table, mistakes]) =>
  Object.entries(mistakes).map(([name, one]) => {
    const { text, left } = typeof one === 'string' ? { text: one, left: undefined } : one
    return { table, name, file: name.toLowerCase().replaceAll(' ', '-'), left, ...readSnippet(text) }
  }),
)

/** The imports of all names that a text uses. */
function importsOf(text: string): string {
  const lines = Object.entries(entries).map(([from, names]) => {
    const used = Object.keys(names).filter((name) => new RegExp(`(?<![\\w.'])${name}\\b`).test(text))
    return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${from}'; `
  })
  return `${lines.join('')}export {}\n`
}

/** Writes the project, and gives it to both compilers and to boot. */
export async function checkMistakes(): Promise<readonly Checked[]> {
  const files = all.flatMap(({ file, wrong, right }) => [
    [`wrong/${file}.ts`, importsOf(wrong).replaceAll('../../../', '../../../../') + wrong],
    [`right/${file}.ts`, importsOf(right).replaceAll('../../../', '../../../../') + right],
  ])
  writeProject(folder, Object.fromEntries(files), {
    declaration: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  })
  const said = compilers.map((version) => ({ version, errors: diagnose(version, folder).errors }))
  const boots: string[] = []
  for (const { file } of all) boots.push(await bootOf(resolve(folder, `wrong/${file}.ts`)))
  return all.map(({ table, name, file, left, ...snippet }, index) => {
    const wrong = said.map(({ version, errors }) => [version, foundIn(errors, file, snippet)])
    const right = said.flatMap(({ version, errors }) =>
      errors.filter((line) => line.startsWith(`${folder}/right/${file}.ts(`)).map((line) => `${version}: ${line}`),
    )
    return { table, name, left, wrong: Object.fromEntries(wrong), right, boot: boots[index]! }
  })
}

function foundIn(errors: readonly string[], file: string, { wrong, marks }: Snippet): Found[] {
  const lines = wrong.split('\n')
  return errors.flatMap((error) => {
    const prefix = `${folder}/wrong/${file}.ts(`
    if (!error.startsWith(prefix)) return []
    const [, line, column, code, message] = /^(\d+),(\d+)\): error (TS\d+): (.*)$/.exec(error.slice(prefix.length))!
    // The first line of the file has the imports.
    const before = lines.slice(0, Number(line) - 2).reduce((sum, one) => sum + one.length + 1, 0)
    const place = before + Number(column) - 1
    const mark = marks.find(({ from, to }) => from <= place && place < to)
    // The word alone would not do where the place is another.
    const at = mark === undefined ? lines[Number(line) - 2]!.slice(Number(column) - 1) : wrong.slice(place, mark.to)
    return [{ code: code!, at, isMarked: mark !== undefined, message: message! }]
  })
}

/** The first line of what refuses a mistaken text at run time. */
async function bootOf(file: string): Promise<string> {
  try {
    const { default: made } = await import(file)
    await boot(made)
    return 'nothing'
  } catch (error) {
    const lines = String(error).split('\n')
    return (lines.find((line) => line.startsWith('  - '))?.slice(4) ?? lines[0]!).replaceAll(
      /__vite_ssr_import_\d+__\./g,
      '',
    )
  }
}

async function boot(made: any): Promise<unknown> {
  if (made instanceof Promise) return made
  if (typeof made === 'function' || typeof made !== 'object' || made === null) return undefined
  if ('~endpoint' in made) return boot(made.implement(stubs(made.spec.actions ?? {})))
  if ('~controller' in made)
    return application({
      controllers: [made],
      plugins: [mapper.mapper(), pagination.pagination()],
      verifiers: [verifier(design.Card, (nickname: string) => ({ nickname }))],
    })
  if ('~collection' in made || '~media' in made) return boot(holding({ responses: { ok: made } }))
  if ('core' in made) return boot(holding({ params: { value: made } }))
  return undefined
}

const stubs = (actions: object): any => Object.fromEntries(Object.keys(actions).map((name) => [name, () => 'a']))

const holding = (settings: object): any =>
  endpoint('Holders', { actions: { list: { routing: route.get('/'), responses: { ok: 'text/plain' }, ...settings } } })
