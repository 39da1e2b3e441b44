// The form of every failure: `{ "errors": { "title": ["can't be blank"], "body": ["title can't be blank"] } }`.
import { problemEncoder, t } from 'edict'

const texts = t.array(t.string(), { required: true })
const Failure = t.object({ errors: t.record(texts, { required: true }) })

/** The texts for invalid values that clients know, by code. */
const VALUES: Readonly<Record<string, string>> = {
  missing: "can't be blank",
  'min-length': "can't be blank",
  taken: 'has already been taken',
}

/** Writes each problem below the name of what it is about, and all of them below `body`. */
export const encodeProblem = problemEncoder(Failure, ({ code, title, detail, errors = [] }, { action }) => {
  const subject = action?.endpoint.replace(/s$/, '').toLowerCase()
  const known: Readonly<Record<string, string>> = {
    unauthorized: 'token is missing',
    ...(subject !== undefined && { 'not-found': `${subject} not found`, forbidden: `${subject} forbidden` }),
  }
  const said = detail ?? known[code]
  const [name = '', ...rest] = said?.split(' ') ?? []
  const problems =
    errors.length > 0
      ? errors.map((one) => ({ name: one.pointer.split('/').at(-1) ?? '', text: VALUES[one.code] ?? one.message }))
      : [said === undefined ? { name: 'body', text: title } : { name, text: rest.join(' ') }]
  const named = new Map<string, string[]>()
  for (const { name, text } of problems) named.set(name, [...(named.get(name) ?? []), text])
  const body = problems.map(({ name, text }) => (name === 'body' ? text : `${name} ${text}`))
  return { body: { errors: { body, ...Object.fromEntries(named) } }, ...(code === 'conflict' && { status: 422 }) }
})
