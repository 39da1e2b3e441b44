// The rules of a param of paths of relations: loading, writing and documentation. Front ends have
// `relation-paths-rules.browser.ts` in its place.
import type { KindRules } from '../../../../extend.ts'
import type { RelationPathsConfig } from './relations.ts'

/** The rules of a param of paths. */
export const relationPathsRules: KindRules<RelationPathsConfig> = {
  options: {},
  loader: ({ paths }) => {
    const known = new Set(paths)
    return (value, loading) => {
      if (typeof value !== 'string')
        return Array.isArray(value)
          ? loading.fail('repeated')
          : loading.fail('type', { expected: 'a string', kind: 'string' })
      // An empty value names nothing, which is not the same as no value.
      const named = value === '' ? [] : value.split(',', paths.length + 1)
      if (named.length > paths.length) return loading.fail('max-items', { limit: paths.length })
      return named.every((path) => known.has(path)) ? named : loading.fail('values', { values: [...paths] })
    }
  },
  dumper: () => (value) => (value as readonly string[]).join(),
  jsonSchema: ({ paths }) => ({
    type: 'string',
    description: `The related elements that the response includes, separated by commas: ${paths.map((path) => `\`${path}\``).join(', ')}. Empty for none.`,
    pattern: `^(?:(?:${paths.map(escapePath).join('|')})(?:,(?:${paths.map(escapePath).join('|')}))*)?$`,
    examples: paths.slice(0, 1),
  }),
  example: ({ paths }, _, seed) => paths.filter(() => seed.numberBelow(2) === 0),
  mistakes: () => [],
}

const escapePath = (path: string): string => path.replaceAll('.', '\\.')
