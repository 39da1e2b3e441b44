// At most four type parameters on anything public, but for the exceptions here with their reasons.
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts
import { expect, it } from 'vitest'
import { parse, sourceFiles } from './quoted-names.ts'

const MOST = 4
const sources = sourceFiles().map((file) => parse(file))

/** Functions and types with more, by file and name. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/schema/structures/union.ts union':
    'discriminator and variants are two arguments, beside required, null and default',
}

/** The exported functions, methods and types of a file that have more type parameters than allowed. */
function excesses(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const { typeParameters, name } = node as { typeParameters?: readonly unknown[]; name?: ts.Identifier }
    if ((typeParameters?.length ?? 0) > MOST) found.push(`${file.fileName} ${name?.text}`)
    ts.forEachChild(node, visit)
  }
  for (const statement of file.statements)
    if (
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    )
      visit(statement)
  return found
}

it('nothing exported has more type parameters than four', () => {
  expect(sources.flatMap(excesses)).toEqual(Object.keys(EXCEPTIONS))
})

it('one that has more is found, also as a member', () => {
  const planted =
    'export interface A { b<A, B, C, D, E>(): void }\nexport type F<A, B, C, D, E> = A\ntype G<A, B, C, D, E> = A'
  expect(excesses(parse('src/planted.ts', planted))).toEqual(['src/planted.ts b', 'src/planted.ts F'])
})
