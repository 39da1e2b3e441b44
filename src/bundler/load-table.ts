// Loads a module for a front end: a table in place of its declarations, or the module as it is.
import { relative } from 'node:path'
import { findExportLine, getModuleRole } from './find-declarations.ts'
import { DeclarationRunner, type Mistake } from './run-declarations.ts'
import { makeSourceMap, type SourceMap } from './source-map.ts'

/** The module that a bundler gets for one of the project. */
export interface LoadedTable {
  readonly code: string
  /** Undefined for a module that stays as it is, with a line at its end. */
  readonly map: SourceMap | undefined
  /** The files whose changes change the table. */
  readonly dependencies: readonly string[]
  readonly warnings: readonly Mistake[]
}

/** A mistake in a declaration that stops the bundle. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly place: Mistake
  /** The files whose changes may correct it. */
  readonly dependencies: readonly string[]

  constructor(place: Mistake, dependencies: readonly string[]) {
    super(`${relative(process.cwd(), place.file)}:${place.line}:${place.column}: ${place.text}`)
    this.place = place
    this.dependencies = dependencies
  }
}

const KEEP = "\nimport { keepDeclarations as $keepDeclarations } from 'edict/client/table'\n$keepDeclarations()\n"

/** Loads the modules of one bundler. */
export class TableLoader {
  readonly #runner = new DeclarationRunner()

  /** Returns the module to bundle in place of a file; undefined for files that declare nothing. */
  async load(file: string, text: string): Promise<LoadedTable | undefined> {
    const role = getModuleRole(text)
    if (role === 'other') return undefined
    const lines = text.split('\n')
    if (role === 'mixed') {
      const line = lines.findIndex((one) => /edict\/(?:client|tanstack-query)/.test(one)) + 1
      const advice = 'Remedy: move the declarations into files of their own, and import them here'
      throw new DeclarationError({ file, line, column: 1, text: `it declares an API and calls it. ${advice}` }, [file])
    }
    const run = await this.#runner.run(file)
    const { dependencies } = run
    if ('mistake' in run) throw new DeclarationError(run.mistake, dependencies)
    if ('reason' in run) {
      const place = readPlace(run.location, file)
      const advice = 'the bundle keeps the declarations of this file, and what they import'
      return {
        code: `${text}${KEEP}`,
        map: undefined,
        dependencies,
        warnings: [{ ...place, text: `${run.reason}: ${advice}` }],
      }
    }
    const exported = run.names.map((name) => findExportLine(lines, name))
    const before = run.code.split('\n').length - 1 - exported.length
    const map = makeSourceMap(file, text, [...Array<undefined>(before).fill(undefined), ...exported])
    return { code: run.code, map, dependencies, warnings: [] }
  }

  /** Ends the thread in which declarations run. */
  close(): Promise<void> {
    return this.#runner.close()
  }
}

function readPlace(location: string | undefined, file: string): Omit<Mistake, 'text'> {
  const [, path = file, line = '1', column = '1'] = /^(.*):(\d+):(\d+)$/.exec(location ?? '') ?? []
  return { file: path, line: Number(line), column: Number(column) }
}
