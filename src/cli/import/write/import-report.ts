// Renders IMPORT.md: the remaining work, and the parts of the document that were not carried over.
import type { Unsupported } from '../unsupported.ts'
import type { ImportedApi } from './file-plan.ts'

/** Renders the report. */
export function renderReport(
  { endpoints, schemes }: ImportedApi,
  unsupported: readonly Unsupported[],
  source: string,
): string {
  const count = endpoints.reduce((sum, { actions }) => sum + actions.length, 0)
  const groups = new Map<string, Unsupported[]>()
  for (const one of unsupported) {
    const key = `${one.what}\0${one.instead}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [
    `# Imported from ${formatInlineCode(source)}`,
    '',
    `${count} actions in ${endpoints.length} endpoints. Left to do:`,
    '',
    '- Write the actions in `controllers/`: each responds with 501 until then. `npx edict mock` responds from the declarations.',
    ...(schemes.length === 0 ? [] : ['- Write the verifiers in `verifiers.ts`: they reject everybody until then.']),
    '- Read what differs from the document, below.',
    '',
    '## Everywhere',
    '',
    ...GENERAL_NOTES.map((line) => `- ${line}`),
    '',
    '## Not carried over',
    '',
    ...(groups.size === 0 ? ['Nothing.'] : [...groups.values()].flatMap(formatGroup)),
    '',
  ].join('\n')
}

const GENERAL_NOTES = [
  'Names in a query or a body that are not declared are rejected. `ignore` of an action or the application lists exceptions.',
  'Failures that edict finds itself are problem documents (RFC 9457), with the statuses 400, 401, 403, 406, 413 and 415. `encodeProblem` of the application writes them in another form.',
  'Operations without an id or a tag get those of their endpoint and action.',
  'A failure without a body of its own is a problem document, too.',
  'Texts with the character U+0000 are rejected, unless `allowNul` is set.',
  'A deprecated operation responds with the header `Deprecation`.',
]

function formatGroup(all: readonly Unsupported[]): string[] {
  const [{ what, instead }] = all as readonly [Unsupported]
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}: ${instead}.`
  return [`### ${toSingleLine(sentence)}`, '', ...all.map(({ pointer }) => `- ${formatInlineCode(pointer)}`), '']
}

// Text of the document is shown literally, not as markup.
const toSingleLine = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, ' ').replaceAll('<', '&lt;')

function formatInlineCode(text: string): string {
  const plain = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const fence = plain.includes('`') ? '``' : '`'
  return `${fence}${plain.replaceAll('``', "''")}${fence}`
}
