// Measures how long an editor waits after an edit, in a client file and in a controller of an API of 100 endpoints, with
// tsserver of TypeScript 5.9 and the language server of TypeScript 7. `npm run bench -- editor [--quick] [--only 5.9]
// [--json file] [--write]`; quick is 10 endpoints and one edit, which tells that it works, and nothing else.
import { resolve } from 'node:path'
import { ACTIONS_EACH, depotApi, type Files } from '../../scripts/types/depot-api.ts'
import type { Editor, Place } from '../../scripts/types/editors/editor.ts'
import { languageServer } from '../../scripts/types/editors/language-server.ts'
import { tsserver } from '../../scripts/types/editors/tsserver.ts'
import { writeProject } from '../../scripts/types/project.ts'
import { finish, median, options, progress, type Verdict } from '../growth/report.ts'

const [ENDPOINTS, EDITS] = options.quick ? [10, 1] : [100, 20]
/** Milliseconds after which a slow question is not asked again, once it was asked three times. */
const ENOUGH = 8000
/** Milliseconds that an editor may wait for TypeScript 5.9. */
const BOUND = 300
const folder = resolve(`.cache/editor/depot-${ENDPOINTS}`)
// A file without edict tells what the compiler takes for every edit, whatever is in the project.
const plain = 'plain.ts'
const files: Files = { ...depotApi(ENDPOINTS), [plain]: 'export const lines: string[] = []\n' }
// The middle of the API, an endpoint that refers to the one before it.
const name = `rack${Math.floor(ENDPOINTS / 20) * 10 + 8}`
const [calls, controller, design] = ['client', 'controllers', 'design'].map((part) => `${part}/${name}.ts`) as [
  string,
  string,
  string,
]

interface Question {
  readonly about: string
  readonly label: string
  readonly ask: (editor: Editor) => Promise<unknown>
}

interface Measured {
  readonly server: string
  readonly edited: string
  readonly label: string
  readonly times: readonly number[]
  /** CPU of the server: on a busy machine, what another one would wait. */
  readonly cpu: readonly number[]
}

/** Where the bar of a marked text is. */
function at(file: string, marked: string): Place {
  const start = files[file]!.indexOf(marked.replace('|', ''))
  if (start === -1) throw new Error(`${file} has no ${marked}`)
  const before = files[file]!.slice(0, start + marked.indexOf('|')).split('\n')
  return { file: `${folder}/${file}`, line: before.length - 1, column: before.at(-1)!.length }
}

const questions: readonly Question[] = [
  { about: plain, label: 'a file without edict: errors', ask: (editor) => editor.errors(`${folder}/${plain}`) },
  { about: calls, label: 'client: errors', ask: (editor) => editor.errors(`${folder}/${calls}`) },
  { about: calls, label: 'client: hover of an answer', ask: (editor) => editor.hover(at(calls, 'const |single')) },
  {
    about: calls,
    label: 'client: completion of a body',
    ask: (editor) => editor.completions(at(calls, 'single.body.|caption')),
  },
  { about: calls, label: 'client: completion of calls', ask: (editor) => editor.completions(at(calls, 's.|show(')) },
  { about: calls, label: 'client: definition of a call', ask: (editor) => editor.definitions(at(calls, 's.|show(')) },
  { about: controller, label: 'controller: errors', ask: (editor) => editor.errors(`${folder}/${controller}`) },
  {
    about: controller,
    label: 'controller: hover of a payload',
    ask: (editor) => editor.hover(at(controller, 'const { |payload')),
  },
  {
    about: controller,
    label: 'controller: completion of replies',
    ask: (editor) => editor.completions(at(controller, 'reply.|notFound')),
  },
  {
    about: controller,
    label: 'controller: completion of params',
    ask: (editor) => editor.completions(at(controller, 'async show({ |id')),
  },
  {
    about: controller,
    label: 'controller: definition of an action',
    ask: (editor) => editor.definitions(at(controller, 'async |show')),
  },
]

/** Edits by the file they change: a statement, or an attribute, that has another text each time. */
const edits: Readonly<Record<string, { readonly at: Place; readonly text: (edit: number) => string }>> = {
  [plain]: { at: at(plain, '|export const'), text: (edit) => `void ${100 + edit}; ` },
  [calls]: { at: at(calls, '|return lines'), text: (edit) => `void ${100 + edit}; ` },
  [controller]: { at: at(controller, '|const { payload, headers }'), text: (edit) => `void ${100 + edit}; ` },
  [design]: { at: at(design, '|fragile: t.boolean()'), text: (edit) => `edited${100 + edit}: t.string(), ` },
}

async function measure(editor: Editor, { ask }: Question, edited: string): Promise<Pick<Measured, 'times' | 'cpu'>> {
  const { at: place, text } = edits[edited]!
  const times: number[] = []
  const cpu: number[] = []
  let written = 0
  const isEnough = (): boolean => times.length >= 3 && times.reduce((sum, one) => sum + one, 0) > ENOUGH
  for (let edit = 0; edit < EDITS && !isEnough(); edit++) {
    editor.type(place, text(edit), written)
    written = text(edit).length
    const [begun, used] = [performance.now(), editor.cpu() ?? Number.NaN]
    await ask(editor)
    times.push(performance.now() - begun)
    cpu.push((editor.cpu() ?? Number.NaN) - used)
  }
  editor.type(place, '', written)
  return { times, cpu }
}

async function measureServer(server: string, editor: Editor): Promise<Measured[]> {
  for (const file of [plain, calls, controller, design]) editor.show(`${folder}/${file}`, files[file]!)
  for (const file of [calls, controller, design]) {
    const errors = await editor.errors(`${folder}/${file}`)
    if (errors.length > 0) throw new Error(`${server}: ${file} has errors: ${errors[0]}`)
  }
  const measured: Measured[] = []
  for (const question of questions)
    for (const edited of [question.about, design]) {
      progress(`${server}: ${question.label} after an edit of ${edited}`)
      measured.push({ server, edited, label: question.label, ...(await measure(editor, question, edited)) })
    }
  editor.close()
  return measured
}

const rowOf = ({ label, edited, times, cpu }: Measured): (string | number)[] => [
  label,
  edited === design ? 'the declaration' : 'the file itself',
  Math.round(median(times)),
  Math.round(Math.max(...times)),
  Math.round(median(cpu)),
]

// Other work on the machine makes an editor wait that has it for itself: then the CPU of the server is the judge.
const waited = ({ times, cpu }: Measured): number => Math.min(median(times), ...[median(cpu)].filter(Number.isFinite))

function verdictOf(server: string, measured: readonly Measured[]): Verdict {
  const slowest = measured.reduce((a, b) => (waited(b) > waited(a) ? b : a))
  const [label, edited] = rowOf(slowest)
  const text = `${server}: the slowest question (${label}; ${edited} was edited) takes ${Math.round(waited(slowest))} ms, the bound is ${BOUND} ms`
  return { text, met: waited(slowest) < BOUND }
}

// The declarations of dist, as users have them.
writeProject(folder, files, { declaration: false, paths: {} })
const starts: Readonly<Record<string, () => Editor>> = {
  'TypeScript 5.9': tsserver,
  'TypeScript 7.0': () => languageServer(folder),
}
const found: Measured[] = []
for (const [server, start] of Object.entries(starts))
  if (options.only === undefined || server.endsWith(options.only)) found.push(...(await measureServer(server, start())))
const served = [...new Set(found.map(({ server }) => server))]
finish('editor', {
  tables: served.map((server) => ({
    title: `${server}, ${ENDPOINTS} endpoints, ${ENDPOINTS * ACTIONS_EACH} actions, ${EDITS} edits`,
    head: ['question', 'edited', 'median ms', 'worst ms', 'CPU ms'],
    rows: found.filter((one) => one.server === server).map(rowOf),
  })),
  verdicts: options.quick
    ? []
    : served.map((server) =>
        verdictOf(
          server,
          found.filter((one) => one.server === server),
        ),
      ),
  data: found,
})
