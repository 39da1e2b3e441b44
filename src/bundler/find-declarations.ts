// Finds the modules that declare an API, by their imports: nothing is parsed, as every bundler has its own
// syntax trees.

/** The kind of a module. */
export type ModuleRole = 'declarations' | 'mixed' | 'other'

const IMPORTS = /\bimport\b(?!\s+type\b)([^'"();]*?)\bfrom\s*(['"])(edict(?:\/[\w/-]+)?)\2/g
const DECLARES = /(?:^|[{,\s])(?:endpoint|mediaType)(?=[\s,}]|$)/
const SERVES = /(?:^|[{,\s])(?:application|controller)(?=[\s,}]|$)/

/** Returns whether a module declares endpoints or media types, and whether it makes a client as well. */
export function getModuleRole(text: string): ModuleRole {
  if (!text.includes('edict')) return 'other'
  const imports = [...text.matchAll(IMPORTS)].map(([, names = '', , from = '']) => ({ names, from }))
  const own = imports.filter(({ from }) => from === 'edict')
  if (!own.some(({ names }) => DECLARES.test(withoutTypes(names)))) return 'other'
  if (own.some(({ names }) => SERVES.test(withoutTypes(names)))) return 'other'
  return imports.some(({ from }) => from === 'edict/client' || from === 'edict/tanstack-query')
    ? 'mixed'
    : 'declarations'
}

const withoutTypes = (names: string): string => names.replace(/\btype\s+\w+(?:\s+as\s+\w+)?/g, '')

/** Returns the line, from 0, on which a module exports a name; 0 if it is not found. */
export function findExportLine(lines: readonly string[], name: string): number {
  const pattern =
    name === 'default'
      ? /^\s*export\s+default\b|\bas\s+default\b/
      : new RegExp(
          `^\\s*export\\s+(?:const|let|var|function|class)\\s+${name.replaceAll('$', '\\$')}\\b|^\\s*export\\s*\\{[^}]*\\b${name.replaceAll('$', '\\$')}\\b`,
        )
  return Math.max(
    0,
    lines.findIndex((line) => pattern.test(line)),
  )
}
