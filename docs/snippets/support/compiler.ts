// The compiler's message for a region whose mistake is marked with @ts-expect-error: the marks are taken out of a copy of
// all snippets, and the copy is compiled once, in one thread so that messages do not depend on chance.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const home = join(root, '.cache/snippets')

interface Mistake {
  readonly file: string
  readonly line: number
  readonly text: string
}

let found: readonly Mistake[] | undefined

/** The error in a region of a snippet file, as the compiler words it. */
export function compileError(file: string, region: string): string {
  found ??= compile()
  const lines = readFileSync(join(root, 'docs/snippets', file), 'utf8').split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`) + 1
  const end = lines.findIndex((line, i) => i >= start && line.trim() === '// #endregion') + 1
  const mine = found.filter((one) => one.file === file && one.line > start && one.line < end)
  return mine.map(({ text }) => text).join('\n\n')
}

function compile(): Mistake[] {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  cpSync(join(root, 'docs/snippets'), home, { recursive: true })
  for (const name of readdirSync(home).filter((one) => one.endsWith('.ts'))) {
    const text = readFileSync(join(home, name), 'utf8')
    writeFileSync(join(home, name), text.replace(/\/\/ @ts-expect-error.*/g, '//'))
  }
  const config = { extends: '../../tsconfig.json', compilerOptions: { declaration: false }, include: ['.'] }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(config))
  const args = ['node_modules/typescript/bin/tsc', '--singleThreaded', '-p', home, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  const mistakes: Mistake[] = []
  for (const line of stdout.split('\n')) {
    const head = /^.*?([\w-]+\.ts)\((\d+),\d+\): (error TS\d+: .*)$/.exec(line)
    const last = mistakes.at(-1)
    if (head !== null) mistakes.push({ file: head[1] as string, line: Number(head[2]), text: head[3] as string })
    else if (/^ +/.test(line) && last !== undefined)
      mistakes[mistakes.length - 1] = { ...last, text: `${last.text}\n${line}` }
  }
  return mistakes
}
