// Messages in other languages, made of data: codes, values, kinds and places; no English text is read.
import { type InputError, type Plugin, type Problem, problemEncoder } from 'edict'
import type { FailureCode, IssueCode, IssueDetail, Reason, ReasonCode } from 'edict/extend'

/** Texts by their codes; names in braces are replaced by values. */
type Texts<C extends string> = Readonly<Record<C, string>> & Readonly<Record<string, string>>

/** All messages in one language. */
export interface Catalogue {
  readonly issues: Texts<IssueCode>
  readonly failures: Texts<FailureCode>
  readonly reasons: Texts<ReasonCode>
  /** Kinds and formats in words, by the names that details have as `kind`. */
  readonly kinds: Readonly<Record<string, string>>
  /** Rules between attributes, by the names that details have as `requires`. */
  readonly rules: Readonly<Record<string, string>>
  readonly places: { readonly [P in InputError['in'] | 'body']: string }
}

type Values = IssueDetail | undefined

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => [values?.[name] ?? ''].flat().join(', '))

function issueIn({ issues, kinds, rules, places }: Catalogue, error: InputError): string {
  const { detail, pointer } = error
  const place = pointer === '' ? places.body : `${places[error.in]} '${pointer.slice(1)}'`
  const kind = kinds[String(detail?.['kind'])] ?? ''
  const rule = rules[String(detail?.['requires'])] ?? ''
  return `${place} ${fill(issues[error.code] ?? error.code, { ...detail, ...(kind && { expected: kind }), rule })}`
}

function problemIn(words: Catalogue, problem: Problem, reason: Reason | undefined): Problem {
  const errors = problem.errors?.map((one) => ({ ...one, message: issueIn(words, one) }))
  const detail = errors?.[0]?.message ?? (reason && fill(words.reasons[reason.code] ?? '', reason.values))
  const { detail: own, ...others } = problem
  return {
    ...others,
    title: words.failures[problem.code] ?? problem.title,
    // The text of an action is its own.
    ...((detail || own) && { detail: detail || own }),
    ...(errors && { errors }),
  } as Problem
}

/** Writes problems in the language that the client asks for, if there is a catalogue of it. */
export const localise = (catalogues: Readonly<Record<string, Catalogue>>): Plugin => ({
  name: 'localise',
  apply: (options) => ({
    ...options,
    encodeProblem: problemEncoder('application/problem+json', (problem, { request, reason }) => {
      const asked = String(request?.headers['accept-language'] ?? '').slice(0, 2)
      const words = catalogues[asked]
      const headers = { Vary: 'Accept-Language', 'Content-Language': words ? asked : 'en' }
      return { body: words ? problemIn(words, problem, reason) : problem, headers }
    }),
  }),
  checkOptions(report, { plugins = [] }) {
    for (const [language, words] of Object.entries(catalogues))
      for (const { codes } of plugins)
        for (const code of [...Object.keys(codes?.issues ?? {}), ...Object.keys(codes?.failures ?? {})])
          if (!(code in words.issues) && !(code in words.failures))
            report('localise', `'${code}' has no text in '${language}'`, 'add it to the catalogue')
  },
})
