// The guard of sizes: files up to 300 lines, functions up to 40. Those that are longer for a reason are in the list below.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

/** The most lines of a file. */
export const FILE_LINES = 300

/** The most lines of a function, from its name to its last brace. */
export const FUNCTION_LINES = 40

/** Functions and files that are longer, each with its reason. */
export const allowed: Readonly<Record<string, string>> = {
  'src/server/exchange.ts': 'the state of one request and its body, which the steps share',
  'src/schema/structures/object.ts': 'one kind of attribute',
  'src/plugins/lists/datastores/sql/datastore.ts storeOf': 'the short methods of one object, over what they share',
  'src/plugins/lists/suite/cases.ts joins': 'a table of cases',
  'src/plugins/lists/suite/cases.ts deepJoins': 'a table of cases',
  'src/plugins/lists/suite/cases.ts existing': 'a table of cases',
}

interface Sized {
  readonly line: number
  readonly name: string
  readonly lines: number
}

/** The functions of a source that are longer than allowed. */
function longFunctions(text: string, file: string): Sized[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const found: Sized[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const line = lineOf(node.getStart())
      const lines = lineOf(node.end) - line + 1
      if (lines > FUNCTION_LINES) found.push({ line, name: nameOf(node), lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText()
  const { parent } = node
  const named = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
  return named ? parent.name.getText() : 'a function without a name'
}

/** Files and functions under `root`/src that are too long, and entries of the list that nothing needs. */
export function sizeViolations(root: string, list: Readonly<Record<string, string>> = allowed): string[] {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => /(?<!\.test(-d)?)(?<!\.d)\.ts$/.test(name)).map((name) => `src/${name}`)
  const used = new Set<string>()
  const isListed = (entry: string): boolean => {
    used.add(entry)
    return Object.hasOwn(list, entry)
  }
  const violations = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const lines = text.trimEnd().split('\n').length
    const long = lines > FILE_LINES && !isListed(file) ? [fileViolation(file, lines)] : []
    const functions = longFunctions(text, file).filter(({ name }) => !isListed(`${file} ${name}`))
    return [...long, ...functions.map((one) => functionViolation(file, one))]
  })
  const idle = Object.keys(list).filter((entry) => !used.has(entry))
  return [...violations, ...idle.map((entry) => `scripts/sizes.ts: nothing needs '${entry}'. Remedy: remove it.`)]
}

const fileViolation = (file: string, lines: number): string =>
  `${file}: has ${lines} lines, more than ${FILE_LINES}. Remedy: split it by meaning.`

const functionViolation = (file: string, { line, name, lines }: Sized): string =>
  `${file}:${line}: ${name} has ${lines} lines, more than ${FUNCTION_LINES}. Remedy: give its parts names, or list it in scripts/sizes.ts with a reason.`
