// Checks the codes of plugins: a code has one meaning in an application, regardless of the plugin that defines it.
import type { Report } from '../../design/mistakes.ts'
import { coreFailures, coreIssueTexts } from '../../errors.ts'
import { shortenName } from '../../util/message-text.ts'
import type { Plugin } from '../application-options.ts'

/** The first definition of a code. */
interface CodeDefinition {
  readonly owner: string
  readonly meaning: string
}

type CodeCatalogue = Map<string, CodeDefinition>

const CODE = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/

/**
 * Reports codes that two plugins, or a plugin and the core, define differently, and codes that no response can have.
 */
export function checkCodes(plugins: readonly Plugin[], report: Report): void {
  if (plugins.every(({ codes }) => codes === undefined)) return
  const issues: CodeCatalogue = new Map()
  const failures: CodeCatalogue = new Map()
  for (const [code, text] of Object.entries(coreIssueTexts))
    issues.set(code, { owner: 'edict', meaning: quoteText(text) })
  for (const [code, known] of Object.entries(coreFailures))
    failures.set(code, { owner: 'edict', meaning: describeMeaning(known) })
  for (const { name, codes } of plugins) {
    for (const { code, text } of Object.values(codes?.issues ?? {}))
      defineCode(issues, code, { owner: name, meaning: quoteText(text) }, report)
    for (const { code, status, title } of Object.values(codes?.failures ?? {})) {
      if (!(status >= 400 && status <= 599))
        report('plugins', `'${name}' defines the code '${code}' with the status ${status}`, 'use one from 400 to 599')
      defineCode(failures, code, { owner: name, meaning: describeMeaning({ status, title }) }, report)
    }
  }
}

const quoteText = (text: string): string => `"${text}"`

const describeMeaning = ({ status, title }: { readonly status: number; readonly title: string }): string =>
  `${status} ${quoteText(title)}`

function defineCode(catalogue: CodeCatalogue, code: string, definition: CodeDefinition, report: Report): void {
  const { owner, meaning } = definition
  if (!CODE.test(code))
    report(
      'plugins',
      `'${owner}' defines the code '${shortenName(code)}'`,
      'use lower-case letters, digits and hyphens',
    )
  const first = catalogue.get(code)
  if (first === undefined) catalogue.set(code, definition)
  else if (first.meaning !== meaning)
    report(
      'plugins',
      `'${owner}' defines the code '${code}' as ${meaning}, and '${first.owner}' as ${first.meaning}`,
      'rename one of the codes',
    )
}
