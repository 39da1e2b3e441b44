// Codes of plugins: one code has one meaning in an application, whichever of its plugins defines it.
import type { Report } from '../../design/resolve/mistakes.ts'
import { failures, issueTexts } from '../../errors.ts'
import { shown } from '../../util/words.ts'
import type { Plugin } from '../options.ts'

/** A code as it was first defined. */
interface Definition {
  readonly owner: string
  readonly meaning: string
}

type Catalogue = Map<string, Definition>

const CODE = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/

/** Reports codes that two plugins, or a plugin and the core, define differently, and codes that no answer could have. */
export function checkCodes(plugins: readonly Plugin[], report: Report): void {
  if (plugins.every(({ codes }) => codes === undefined)) return
  const issues: Catalogue = new Map()
  const requests: Catalogue = new Map()
  for (const [code, text] of Object.entries(issueTexts)) issues.set(code, { owner: 'edict', meaning: quoted(text) })
  for (const [code, known] of Object.entries(failures)) requests.set(code, { owner: 'edict', meaning: meant(known) })
  for (const { name, codes } of plugins) {
    for (const { code, text } of Object.values(codes?.issues ?? {}))
      define(issues, code, { owner: name, meaning: quoted(text) }, report)
    for (const { code, status, title } of Object.values(codes?.failures ?? {})) {
      if (!(status >= 400 && status <= 599))
        report('plugins', `'${name}' defines the code '${code}' with the status ${status}`, 'use one from 400 to 599')
      define(requests, code, { owner: name, meaning: meant({ status, title }) }, report)
    }
  }
}

const quoted = (text: string): string => `"${text}"`

const meant = ({ status, title }: { readonly status: number; readonly title: string }): string =>
  `${status} ${quoted(title)}`

function define(known: Catalogue, code: string, definition: Definition, report: Report): void {
  const { owner, meaning } = definition
  if (!CODE.test(code))
    report('plugins', `'${owner}' defines the code '${shown(code)}'`, 'use lower-case letters, digits and hyphens')
  const first = known.get(code)
  if (first === undefined) known.set(code, definition)
  else if (first.meaning !== meaning)
    report(
      'plugins',
      `'${owner}' defines the code '${code}' as ${meaning}, and '${first.owner}' as ${first.meaning}`,
      'rename one of the codes',
    )
}
