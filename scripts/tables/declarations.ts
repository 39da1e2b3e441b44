// Reads declarations of src/ with their JSDoc: the members of interfaces, the kinds of `t`, the exports of entry points.
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9' // TypeScript 7 offers no checker to scripts

/** A member of an interface, or a property of an object, as its JSDoc describes it. */
export interface Member {
  readonly name: string
  readonly text: string
  /** The text of `@default`. */
  readonly fallback: string | undefined
  /** The pages that `@see` names, from the root of the repository. */
  readonly see: readonly string[]
}

/** One call signature of a kind of attribute. */
export interface Kind {
  readonly name: string
  /** The names of its parameters, without the options. */
  readonly parameters: readonly string[]
  readonly text: string
  readonly options: readonly Member[]
}

/** A public name and its description. */
export interface PublicName {
  readonly name: string
  readonly isValue: boolean
  readonly text: string
}

/** An entry point of the package: the name that users import, and its source. */
export interface EntryPoint {
  readonly name: string
  readonly source: string
}

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))
const isOurs = (file: string): boolean => file.startsWith(resolve(root, 'src'))

/** Lists the entry points of package.json. */
export function listEntryPoints(): EntryPoint[] {
  const { name, exports } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string | { types: string }>
  }
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [{ name: name + subpath.slice(1), source: target.types.replace('./dist/', 'src/').replace('.d.ts', '.ts') }],
  )
}

/** The declarations of src/. Members without JSDoc are collected as problems. */
export class Declarations {
  readonly problems: string[] = []
  readonly #program: ts.Program
  readonly #checker: ts.TypeChecker

  constructor() {
    const config = resolve(root, 'tsconfig.json')
    const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, root)
    const files = listEntryPoints().map(({ source }) => resolve(root, source))
    this.#program = ts.createProgram(files, options)
    this.#checker = this.#program.getTypeChecker()
  }

  /**
   * Returns the members of `file#Name`, an interface or a constant; those of optional structures follow as `a.b`.
   * `file#Name:one,two` selects these members in this order.
   */
  membersOf(reference: string): Member[] {
    const [location, selection] = reference.split(':') as [string, string?]
    const members = this.#listMembers(this.#findType(location), '', location)
    if (selection === undefined) return members
    return selection.split(',').map((name) => {
      const found = members.find((one) => one.name === name)
      if (found === undefined) throw new Error(`${location} has no member ${name}. Remedy: correct the marker.`)
      return found
    })
  }

  /** Returns the names of the members of `file#Name`. */
  namesOf(location: string): string[] {
    return this.#findType(location)
      .getProperties()
      .map(({ name }) => name)
  }

  /** Returns each call signature of the kinds of `t`, with the options that other kinds do not have. */
  kinds(): Kind[] {
    const common = new Set(this.namesOf('src/schema/attribute-options.ts#Options'))
    return this.#findType('src/schema/t.ts#t')
      .getProperties()
      .flatMap((kind) => {
        // When a kind has several signatures, an option is listed with the first that takes it.
        const listed = new Set(common)
        return this.#checker
          .getTypeOfSymbol(kind)
          .getCallSignatures()
          .map((signature) => {
            const [parameters, options] = this.#readParameters(signature)
            const location = `t.${kind.name}`
            const call = `${location}(${parameters.join(', ')})`
            const text = ts.displayPartsToString(signature.getDocumentationComment(this.#checker))
            if (text === '') this.problems.push(`${call} has no JSDoc. Remedy: write a sentence above its function.`)
            const own = options?.getProperties().filter(({ name }) => !listed.has(name)) ?? []
            for (const { name } of own) listed.add(name)
            return {
              name: kind.name,
              parameters,
              text: normalizeSpace(text),
              options: own.map((one) => this.#readMember(one, one.name, location)),
            }
          })
      })
  }

  /** Returns the exports of an entry point, with the first sentence of each. */
  publicNames({ source }: EntryPoint): PublicName[] {
    const module = this.#checker.getSymbolAtLocation(this.#getSourceFile(source))
    if (module === undefined) throw new Error(`${source} is not a module`)
    return this.#checker.getExportsOfModule(module).map((alias) => {
      const symbol = alias.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(alias) : alias
      const text = [alias, symbol].map((one) => this.#getSentence(one)).find((one) => one !== '') ?? ''
      return { name: alias.name, isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0, text }
    })
  }

  #getSourceFile(file: string): ts.SourceFile {
    const found = this.#program.getSourceFile(resolve(root, file))
    if (found === undefined) throw new Error(`${file} is no part of the package. Remedy: correct the marker.`)
    return found
  }

  #findType(location: string): ts.Type {
    const [file, name] = location.split('#') as [string, string]
    for (const node of this.#getSourceFile(file).statements) {
      if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.name.text === name)
        return this.#checker.getTypeAtLocation(node.name)
      if (!ts.isVariableStatement(node)) continue
      const found = node.declarationList.declarations.find((one) => one.name.getText() === name)
      if (found !== undefined) return this.#checker.getTypeAtLocation(found)
    }
    throw new Error(`${file} declares no ${name}. Remedy: correct the marker.`)
  }

  #listMembers(type: ts.Type, prefix: string, location: string): Member[] {
    return type
      .getProperties()
      .filter(({ name }) => !name.startsWith('~'))
      .flatMap((symbol) => {
        const inner = this.#getStructure(symbol)
        const name = prefix + symbol.name
        if (inner === undefined) return [this.#readMember(symbol, name, location)]
        const own = this.#getSentence(symbol) === '' ? [] : [this.#readMember(symbol, name, location)]
        return [...own, ...this.#listMembers(inner, `${name}.`, location)]
      })
  }

  /** Returns the type of a member that is a structure of optional members declared by edict. */
  #getStructure(symbol: ts.Symbol): ts.Type | undefined {
    const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(symbol))
    if (!(type.flags & ts.TypeFlags.Object) || type.getCallSignatures().length > 0) return undefined
    const members = type.getProperties()
    const isOwnOptional = (member: ts.Symbol): boolean =>
      (member.flags & ts.SymbolFlags.Optional) !== 0 &&
      member.declarations?.every((node) => isOurs(node.getSourceFile().fileName)) === true
    return members.length > 0 && members.every(isOwnOptional) ? type : undefined
  }

  #readMember(symbol: ts.Symbol, name: string, location: string): Member {
    const text = normalizeSpace(ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)))
    if (text === '') {
      const node = symbol.declarations?.[0]
      const file = node?.getSourceFile()
      const line = file === undefined ? '' : `:${file.getLineAndCharacterOfPosition(node?.getStart() ?? 0).line + 1}`
      const position = file === undefined ? location : relative(root, file.fileName) + line
      this.problems.push(`${position}: ${name} of ${location} has no JSDoc. Remedy: write a sentence above it.`)
    }
    const tags = symbol.getJsDocTags(this.#checker)
    const getTagTexts = (tag: string): string[] =>
      tags.filter((one) => one.name === tag).map((one) => normalizeSpace(ts.displayPartsToString(one.text)))
    return {
      name,
      text,
      fallback: getTagTexts('default')[0],
      see: getTagTexts('see').map((page) => page.replaceAll(' ', '')),
    }
  }

  #getSentence(symbol: ts.Symbol): string {
    const text = normalizeSpace(ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)))
    return /^.*?[.](?= [A-Z`]|$)/.exec(text)?.[0] ?? text
  }

  #readParameters(signature: ts.Signature): [names: string[], options: ts.Type | undefined] {
    const names: string[] = []
    let options: ts.Type | undefined
    for (const parameter of signature.getParameters()) {
      const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(parameter))
      if (parameter.name !== 'options')
        names.push(type.getCallSignatures().length > 0 ? `() => ${parameter.name}` : parameter.name)
      else options = this.#checker.getBaseConstraintOfType(type) ?? type
    }
    return [names, options]
  }
}

const normalizeSpace = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
