// Writing a problem as JSON: its members are few and mostly plain texts, which joined by hand cost less than JSON.stringify.

/** What is written of one error. */
interface WrittenError {
  readonly in: string
  readonly pointer: string
  readonly code: string
  readonly message: string
}

// Printable ASCII without the quote and the backslash: the same in JSON as it is.
const PLAIN = /^[ !#-[\]-~]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** The JSON of a problem that the framework made, as JSON.stringify writes it. */
export function problemText(problem: { readonly [member: string]: unknown }): string {
  let text = ''
  for (const name in problem) {
    const value = problem[name]
    const written =
      typeof value === 'string'
        ? quoted(value)
        : name === 'errors'
          ? errorsText(value as readonly WrittenError[])
          : JSON.stringify(value)
    if (written !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${written}`
  }
  return `{${text}}`
}

function errorsText(errors: readonly WrittenError[]): string {
  let text = ''
  for (const { in: part, pointer, code, message } of errors) {
    const error = `{"in":"${part}","pointer":${quoted(pointer)},"code":"${code}","message":${quoted(message)}}`
    text += text === '' ? error : `,${error}`
  }
  return `[${text}]`
}
