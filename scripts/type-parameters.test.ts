// Public functions and types have at most four type parameters, with the exceptions listed here.
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts
import { expect, it } from 'vitest'
import { listSourceFiles, parseFile } from './quoted-names.ts'

const MAX_TYPE_PARAMETERS = 4
const sources = listSourceFiles().map((file) => parseFile(file))

/** The exceptions, keyed by file and name, with reasons. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/plugins/mapper/model/mapping.ts Mapping':
    'what a mapping says decides what a resource requires: sources, generated attributes, scope',
  'src/plugins/mapper/resource/element-types.ts RequiredNames':
    'the same, as the attributes that a new element requires',
  'src/plugins/mapper/resource/interface.ts Resource':
    'attributes, views, key, and what new elements require, for methods that are typed by each',
  'src/plugins/mapper/resource/interface.ts ScopedResource': 'the same, and the context of its scope',
  'src/plugins/mapper/resource/resource.ts resource': 'all of these are inferred from one call',
  'src/schema/structures/union.ts union':
    'discriminator and variants are two arguments, beside required, null and default',
}

/** Returns the exported functions, methods and types of a file with too many type parameters. */
function findExcesses(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const { typeParameters, name } = node as { typeParameters?: readonly unknown[]; name?: ts.Identifier }
    if ((typeParameters?.length ?? 0) > MAX_TYPE_PARAMETERS) found.push(`${file.fileName} ${name?.text}`)
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
  expect(sources.flatMap(findExcesses)).toEqual(Object.keys(EXCEPTIONS))
})

it('one that has more is found, also as a member', () => {
  const planted =
    'export interface A { b<A, B, C, D, E>(): void }\nexport type F<A, B, C, D, E> = A\ntype G<A, B, C, D, E> = A'
  expect(findExcesses(parseFile('src/planted.ts', planted))).toEqual(['src/planted.ts b', 'src/planted.ts F'])
})
