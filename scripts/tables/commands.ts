// Generates the tables of the command line from the commands.
import { commands } from '../../src/cli/commands.ts'

/** The parts of a command's flag or argument that the table shows. */
interface Parameter {
  readonly brief: string
  readonly placeholder?: string
  readonly optional?: boolean
  readonly default?: unknown
  readonly kind?: string
  readonly variadic?: boolean
  readonly hidden?: boolean
}

/** The parts of a command that the table shows: its sentence and its parameters. */
interface Described {
  readonly brief: string
  readonly parameters: {
    readonly flags?: Readonly<Record<string, Parameter>>
    readonly positional?:
      | { readonly kind: 'tuple'; readonly parameters: readonly Parameter[] }
      | { readonly kind: 'array'; readonly parameter: Parameter; readonly minimum?: number }
  }
}

/** A command with commands below it. */
interface Parent {
  readonly getAllEntries: () => readonly { readonly name: { readonly original: string }; readonly target: unknown }[]
}

/** Returns every command with the words that select it. */
function listLeaves(words: string, target: unknown): (readonly [words: string, command: Described])[] {
  if (typeof (target as Parent).getAllEntries !== 'function') return [[words, target as Described]]
  return (target as Parent)
    .getAllEntries()
    .flatMap(({ name, target: inner }) => listLeaves(`${words} ${name.original}`, inner))
}

const listCommands = (): (readonly [words: string, command: Described])[] =>
  Object.entries(commands).flatMap(([name, command]) => listLeaves(`edict ${name}`, command))

function formatArguments({ parameters: { positional } }: Described): string {
  if (positional?.kind === 'array') {
    const { parameter, minimum = 0 } = positional
    const name = `${parameter.placeholder ?? 'args'}...`
    return minimum > 0 ? ` <${name}>` : ` [${name}]`
  }
  return (positional?.parameters ?? [])
    .map(({ placeholder = 'args', optional, default: fallback }) =>
      optional === true || fallback !== undefined ? ` [${placeholder}]` : ` <${placeholder}>`,
    )
    .join('')
}

/** Formats the commands with their arguments and descriptions. */
export function formatCommandTable(): string {
  const rows = listCommands().map(
    ([words, command]) => `| \`${words}${formatArguments(command)}\` | ${command.brief}. |`,
  )
  return ['| Command | Description |', '|---|---|', ...rows].join('\n')
}

/** Formats the flags and arguments of each command. */
export function formatFlagTable(): string {
  const rows = listCommands().flatMap(
    ([
      words,
      {
        parameters: { flags = {}, positional },
      },
    ]) => {
      const list = positional?.kind === 'array' ? [positional.parameter] : (positional?.parameters ?? [])
      return [
        ...list.map(({ placeholder = 'args', brief }) => [words, placeholder, '', brief]),
        ...Object.entries(flags).map(([name, { placeholder, default: fallback, brief, kind }]) => {
          const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
          const value = kind === 'boolean' ? '' : ` <${placeholder ?? 'value'}>`
          return [words, `--${dashed}${value}`, fallback === undefined ? '' : String(fallback), brief]
        }),
      ]
    },
  )
  const lines = rows.map(([words, flag, fallback, brief]) => {
    return `| \`${words}\` | \`${flag}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${brief?.replaceAll('|', '\\|')}. |`
  })
  return ['| Command | Argument or flag | Default | Meaning |', '|---|---|---|---|', ...lines].join('\n')
}
