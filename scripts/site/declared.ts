// Reads the emitted declarations of the package: what each entry point exports, how it is declared, and its members.
import { resolve } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no checker to scripts
import pinned from '../public-exports.json' with { type: 'json' }
import { entryPoints, root } from '../tables/declarations.ts'

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
  /** The word for it: function, interface, class, type, constant, namespace. */
  readonly kind: string
  readonly text: string
  readonly see: readonly string[]
  readonly declaration: string
  readonly tables: readonly Members[]
  /** The file that declares it, which tells re-exports of one name apart from namesakes. */
  readonly origin: string
}

/** Names that exist at run time: a class may be exported as a type only. */
const values: Readonly<Record<string, { readonly values: readonly string[] }>> = pinned
const printer = ts.createPrinter({ removeComments: true })
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The declarations in dist/, which must be there. */
export class Declared {
  readonly #program: ts.Program
  readonly #checker: ts.TypeChecker
  readonly #entries = entryPoints().map(({ name, source }) => ({
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

  /** Every public name of every entry point, in the order of the entry points. */
  names(): DeclaredName[] {
    return this.#entries.flatMap(({ name: entry, file }) => {
      const source = this.#program.getSourceFile(file)
      const module = source && this.#checker.getSymbolAtLocation(source)
      if (module === undefined) throw new Error(`${file} is not a module. Remedy: npm run build.`)
      const found = this.#checker.getExportsOfModule(module).map((alias) => this.#name(entry, alias))
      return found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    })
  }

  #name(entry: string, alias: ts.Symbol): DeclaredName {
    const symbol = alias.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(alias) : alias
    const nodes = symbol.declarations ?? []
    return {
      entry,
      name: alias.name,
      isValue: values[entry]?.values.includes(alias.name) === true,
      kind: kindOf(symbol),
      text: this.#textOf(alias) || this.#textOf(symbol) || commentOfNamespace(alias),
      see: this.#tags(symbol, 'see'),
      declaration: nodes.map((node) => printed(node, alias.name)).join('\n\n'),
      tables: this.#tablesOf(symbol),
      origin: `${nodes[0]?.getSourceFile().fileName ?? ''}#${symbol.name}`,
    }
  }

  #textOf(symbol: ts.Symbol): string {
    return plain(ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)))
  }

  #tags(symbol: ts.Symbol, name: string): string[] {
    const tags = symbol.getJsDocTags(this.#checker).filter((tag) => tag.name === name)
    return tags.map((tag) => plain(ts.displayPartsToString(tag.text)))
  }

  #tablesOf(symbol: ts.Symbol): Members[] {
    const tables: Members[] = []
    if (symbol.flags & ts.SymbolFlags.Module) {
      const members = this.#checker.getExportsOfModule(symbol).map((one) => this.#member(this.#target(one)))
      tables.push({ title: 'Members', members })
    }
    if (symbol.flags & ts.SymbolFlags.Type)
      tables.push({ title: 'Members', members: this.#membersOf(this.#checker.getDeclaredTypeOfSymbol(symbol)) })
    if (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable))
      tables.push(...this.#ofValue(this.#checker.getTypeOfSymbol(symbol)))
    return tables.filter(({ members }) => members.length > 0)
  }

  #target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  /** The options that a function takes, and the members of a constant. */
  #ofValue(type: ts.Type): Members[] {
    const tables = new Map<string, Members>()
    for (const signature of type.getCallSignatures())
      for (const parameter of signature.getParameters()) {
        const given = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(parameter))
        const bound = this.#checker.getBaseConstraintOfType(given) ?? given
        if (bound.getCallSignatures().length > 0 || bound.isUnion()) continue
        const members = this.#membersOf(bound)
        const title = `Members of \`${parameter.name}\``
        if (members.length > (tables.get(title)?.members.length ?? 0)) tables.set(title, { title, members })
      }
    return [...tables.values(), { title: 'Members', members: this.#membersOf(type) }]
  }

  /** The members that our own declarations give to a type. */
  #membersOf(type: ts.Type): DeclaredMember[] {
    const isOurs = (symbol: ts.Symbol): boolean =>
      symbol.declarations?.some((node) => node.getSourceFile().fileName.startsWith(resolve(root, 'dist'))) === true
    if (type.isUnion() || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return []
    return type
      .getProperties()
      .filter((symbol) => isOurs(symbol) && !/^(~|__|#)/.test(symbol.name))
      .map((symbol) => this.#member(symbol))
  }

  #member(symbol: ts.Symbol): DeclaredMember {
    return {
      name: symbol.name,
      type: this.#typeText(symbol),
      text: this.#textOf(symbol),
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      fallback: this.#tags(symbol, 'default')[0],
      see: this.#tags(symbol, 'see'),
    }
  }

  /** The type as it is written, or as the compiler knows it where it is not. */
  #typeText(symbol: ts.Symbol): string {
    const node = symbol.declarations?.[0]
    if (node !== undefined && (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) && node.type)
      return plain(print(node.type))
    if (node !== undefined && (ts.isMethodSignature(node) || ts.isMethodDeclaration(node))) {
      const text = plain(print(node)).replace(/;$/, '')
      return text.replace(/^(?:readonly )?[\w$]+\??/, '')
    }
    if (node !== undefined && ts.isClassDeclaration(node)) return `class ${symbol.name}`
    const type = this.#checker.getTypeOfSymbol(symbol)
    return plain(this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.None))
  }
}

const print = (node: ts.Node): string => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())

/** A declaration without comments, modifiers of modules, and members that only edict reads. */
function printed(node: ts.Node, name: string): string {
  if (ts.isSourceFile(node)) return `namespace ${name}`
  const statement = ts.isVariableDeclaration(node) ? `const ${print(node)};` : print(node)
  return statement
    .replace(/^(?:export |declare |default )+/, '')
    .replaceAll(/^ +(?:private |readonly )*(?:'~[^\n]*|"~[^\n]*|#private;|private [^\n]*)\n/gm, '')
    .replaceAll('    ', '  ')
}

function kindOf({ flags, declarations = [] }: ts.Symbol): string {
  if (flags & ts.SymbolFlags.Class) return 'class'
  if (flags & ts.SymbolFlags.Function) return 'function'
  if (flags & ts.SymbolFlags.Variable) return 'constant'
  if (flags & ts.SymbolFlags.Module) return 'namespace'
  return declarations.some(ts.isInterfaceDeclaration) ? 'interface' : 'type'
}

/** The comment of `export * as name` belongs to the statement. */
function commentOfNamespace({ declarations = [] }: ts.Symbol): string {
  const statement = declarations.find(ts.isNamespaceExport)?.parent
  const comment = statement && ts.getJSDocCommentsAndTags(statement)[0]
  return comment === undefined ? '' : plain(ts.getTextOfJSDocComment(comment.comment) ?? '')
}
