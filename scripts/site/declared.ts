// Reads the emitted declarations of the package: the exports of each entry point, their declarations, and their members.
import { resolve } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no checker to scripts
import pinned from '../public-exports.json' with { type: 'json' }
import { listEntryPoints, root } from '../tables/declarations.ts'

/** A member of a type, or a parameter of a function. */
export interface DeclaredMember {
  readonly name: string
  readonly type: string
  readonly text: string
  readonly isOptional: boolean
  /** The text of `@default`. */
  readonly fallback: string | undefined
  /** The pages that `@see` names. */
  readonly see: readonly string[]
}

/** A table of members with its heading. */
export interface Members {
  readonly title: string
  readonly members: readonly DeclaredMember[]
}

/** A public name as the package declares it. */
export interface DeclaredName {
  readonly entry: string
  readonly name: string
  readonly isValue: boolean
  /** The kind: function, interface, class, type, constant, namespace. */
  readonly kind: string
  readonly text: string
  readonly see: readonly string[]
  readonly declaration: string
  readonly tables: readonly Members[]
  /** The declaring file, which distinguishes re-exports from other declarations of the same name. */
  readonly origin: string
}

/** Names that exist at run time: a class may be exported as a type only. */
const values: Readonly<Record<string, { readonly values: readonly string[] }>> = pinned
const printer = ts.createPrinter({ removeComments: true })
const normalizeSpace = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The declarations in dist/, which must be built. */
export class Declared {
  readonly #program: ts.Program
  readonly #checker: ts.TypeChecker
  readonly #entries = listEntryPoints().map(({ name, source }) => ({
    name,
    file: resolve(root, source.replace(/^src\//, 'dist/').replace(/\.ts$/, '.d.ts')),
  }))

  constructor() {
    this.#program = ts.createProgram(
      this.#entries.map(({ file }) => file),
      {
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        noEmit: true,
        types: ['node'],
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
        skipLibCheck: true,
      },
    )
    this.#checker = this.#program.getTypeChecker()
  }

  /** Returns every public name of every entry point, in the order of the entry points. */
  names(): DeclaredName[] {
    return this.#entries.flatMap(({ name: entry, file }) => {
      const source = this.#program.getSourceFile(file)
      const module = source && this.#checker.getSymbolAtLocation(source)
      if (module === undefined) throw new Error(`${file} is not a module. Remedy: npm run build.`)
      const found = this.#checker.getExportsOfModule(module).map((alias) => this.#readName(entry, alias))
      return found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    })
  }

  #readName(entry: string, alias: ts.Symbol): DeclaredName {
    const symbol = alias.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(alias) : alias
    const nodes = symbol.declarations ?? []
    return {
      entry,
      name: alias.name,
      isValue: values[entry]?.values.includes(alias.name) === true,
      kind: getKind(symbol),
      text: this.#getText(alias) || this.#getText(symbol) || getNamespaceComment(alias),
      see: this.#getTags(symbol, 'see'),
      declaration: nodes.map((node) => printDeclaration(node, alias.name)).join('\n\n'),
      tables: this.#listTables(symbol),
      origin: `${nodes[0]?.getSourceFile().fileName ?? ''}#${symbol.name}`,
    }
  }

  #getText(symbol: ts.Symbol): string {
    return normalizeSpace(ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)))
  }

  #getTags(symbol: ts.Symbol, name: string): string[] {
    const tags = symbol.getJsDocTags(this.#checker).filter((tag) => tag.name === name)
    return tags.map((tag) => normalizeSpace(ts.displayPartsToString(tag.text)))
  }

  #listTables(symbol: ts.Symbol): Members[] {
    const tables: Members[] = []
    if (symbol.flags & ts.SymbolFlags.Module) {
      const members = this.#checker.getExportsOfModule(symbol).map((one) => this.#readMember(this.#resolveAlias(one)))
      tables.push({ title: 'Members', members })
    }
    if (symbol.flags & ts.SymbolFlags.Type)
      tables.push({ title: 'Members', members: this.#listMembers(this.#checker.getDeclaredTypeOfSymbol(symbol)) })
    if (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable))
      tables.push(...this.#listValueTables(this.#checker.getTypeOfSymbol(symbol)))
    return tables.filter(({ members }) => members.length > 0)
  }

  #resolveAlias(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  /** Returns the options that a function takes, and the members of a constant. */
  #listValueTables(type: ts.Type): Members[] {
    const tables = new Map<string, Members>()
    for (const signature of type.getCallSignatures())
      for (const parameter of signature.getParameters()) {
        const parameterType = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(parameter))
        const bound = this.#checker.getBaseConstraintOfType(parameterType) ?? parameterType
        if (bound.getCallSignatures().length > 0 || bound.isUnion()) continue
        const members = this.#listMembers(bound)
        const title = `Members of \`${parameter.name}\``
        if (members.length > (tables.get(title)?.members.length ?? 0)) tables.set(title, { title, members })
      }
    return [...tables.values(), { title: 'Members', members: this.#listMembers(type) }]
  }

  /** Returns the members of a type that edict declares. */
  #listMembers(type: ts.Type): DeclaredMember[] {
    const isOurs = (symbol: ts.Symbol): boolean =>
      symbol.declarations?.some((node) => node.getSourceFile().fileName.startsWith(resolve(root, 'dist'))) === true
    if (type.isUnion() || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return []
    return type
      .getProperties()
      .filter((symbol) => isOurs(symbol) && !/^(~|__|#)/.test(symbol.name))
      .map((symbol) => this.#readMember(symbol))
  }

  #readMember(symbol: ts.Symbol): DeclaredMember {
    return {
      name: symbol.name,
      type: this.#formatType(symbol),
      text: this.#getText(symbol),
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      fallback: this.#getTags(symbol, 'default')[0],
      see: this.#getTags(symbol, 'see'),
    }
  }

  /** Returns the type as written, or else as the compiler infers it. */
  #formatType(symbol: ts.Symbol): string {
    const node = symbol.declarations?.[0]
    if (node !== undefined && (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) && node.type)
      return normalizeSpace(print(node.type))
    if (node !== undefined && (ts.isMethodSignature(node) || ts.isMethodDeclaration(node))) {
      const text = normalizeSpace(print(node)).replace(/;$/, '')
      return text.replace(/^(?:readonly )?[\w$]+\??/, '')
    }
    if (node !== undefined && ts.isClassDeclaration(node)) return `class ${symbol.name}`
    const type = this.#checker.getTypeOfSymbol(symbol)
    return normalizeSpace(this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.None))
  }
}

const print = (node: ts.Node): string => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())

/** Prints a declaration without comments, module modifiers, and internal members. */
function printDeclaration(node: ts.Node, name: string): string {
  if (ts.isSourceFile(node)) return `namespace ${name}`
  const statement = ts.isVariableDeclaration(node) ? `const ${print(node)};` : print(node)
  return statement
    .replace(/^(?:export |declare |default )+/, '')
    .replaceAll(/^ +(?:private |readonly )*(?:'~[^\n]*|"~[^\n]*|#private;|private [^\n]*)\n/gm, '')
    .replaceAll('    ', '  ')
}

function getKind({ flags, declarations = [] }: ts.Symbol): string {
  if (flags & ts.SymbolFlags.Class) return 'class'
  if (flags & ts.SymbolFlags.Function) return 'function'
  if (flags & ts.SymbolFlags.Variable) return 'constant'
  if (flags & ts.SymbolFlags.Module) return 'namespace'
  return declarations.some(ts.isInterfaceDeclaration) ? 'interface' : 'type'
}

/** Returns the comment of `export * as name`, which belongs to the statement. */
function getNamespaceComment({ declarations = [] }: ts.Symbol): string {
  const statement = declarations.find(ts.isNamespaceExport)?.parent
  const comment = statement && ts.getJSDocCommentsAndTags(statement)[0]
  return comment === undefined ? '' : normalizeSpace(ts.getTextOfJSDocComment(comment.comment) ?? '')
}
