// Derives all names of a resource from one typed name, such as `blog-post`.
import { toPlural, toSingular } from '../../util/naming.ts'
import { CommandError } from '../command-error.ts'

/** All names of one resource. */
export interface ResourceNames {
  /** The names in sentences: `blog post`, `blog posts`. */
  readonly one: string
  readonly many: string
  /** The media type and the endpoint: `BlogPost`, `BlogPosts`. */
  readonly mediaType: string
  readonly endpoint: string
  /** The variable in code: `blogPosts`. */
  readonly value: string
  /** The table, and the first path segment: `blog_posts`. */
  readonly table: string
  /** The file name without extension: `blog-posts`. */
  readonly file: string
}

// Names that the generated registration files use themselves.
const RESERVED_NAMES: ReadonlySet<string> = new Set(['Resources', 'Tables', 'Migrations'])

/** Derives the names of a resource from its singular; the plural is derived as well unless given. */
export function deriveNames(singular: string, plural?: string): ResourceNames {
  const one = splitWords(singular, 'edict generate article')
  const last = one.at(-1) as string
  if (plural === undefined && toSingular(last) !== last) {
    const suggestion = [...one.slice(0, -1), toSingular(last)].join('-')
    throw new CommandError(
      `${singular} looks like a plural.`,
      `say the singular: edict generate ${suggestion}; or say both: edict generate ${singular} --plural …`,
    )
  }
  const many = plural === undefined ? [...one.slice(0, -1), toPlural(last)] : splitWords(plural, '--plural articles')
  if (many.join() === one.join()) {
    throw new CommandError(`One and many of them are both called ${singular}.`, 'name the plural: --plural …')
  }
  const endpoint = joinPascalCase(many)
  if (RESERVED_NAMES.has(endpoint))
    throw new CommandError(`The name ${endpoint} is taken by the project itself.`, 'choose another')
  return {
    one: one.join(' '),
    many: many.join(' '),
    mediaType: joinPascalCase(one),
    endpoint,
    value: endpoint[0]?.toLowerCase() + endpoint.slice(1),
    table: many.join('_'),
    file: many.join('-'),
  }
}

const joinPascalCase = (words: readonly string[]): string =>
  words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')

// `blog-post`, `blog_post`, `blogPost` and `BlogPost` are the same two words.
function splitWords(name: string, example: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/)
  if (words.every((word) => /^[a-z][a-z0-9]*$/.test(word))) return words
  throw new CommandError(`'${name}' cannot be the name of a resource.`, `use letters, digits and hyphens: ${example}`)
}
