// Texts that tell a mistake with its correction. `«wrong|right»` marks a word and what it should be; the compiler has to
// point there. Where something is left out, `«|right»` has what is missing, and `«word»` the place to point at.

/** Mistakes by what they are; one that is left to the run time says why. */
export type Mistakes = Readonly<Record<string, string | { readonly text: string; readonly left: string }>>

/** A mistaken text, the corrected one, and where the compiler should point. */
export interface Snippet {
  readonly wrong: string
  readonly right: string
  readonly marks: readonly { readonly from: number; readonly to: number }[]
}

/** Reads a marked text. */
export function readSnippet(text: string): Snippet {
  const marks: { from: number; to: number }[] = []
  let [wrong, right, end] = ['', '', 0]
  for (const found of text.matchAll(/«([^«»|]*)(?:\|([^«»]*))?»/g)) {
    const plain = text.slice(end, found.index)
    const [all, mistaken = '', corrected = mistaken] = found
    wrong += plain
    if (mistaken !== '') marks.push({ from: wrong.length, to: wrong.length + mistaken.length })
    wrong += mistaken
    right += plain + corrected
    end = found.index + all.length
  }
  return { wrong: wrong + text.slice(end), right: right + text.slice(end), marks }
}

/** An endpoint with one action, `list`, of these settings. */
export const action = (settings: string): string => `export default endpoint('Shelves', {
  mediaType: Film,
  actions: {
    list: {
      routing: route.get('/'),
      ${settings}
    },
  },
})
`

/** An endpoint with these settings and an action. */
export const endpointWith = (settings: string): string => `export default endpoint('Shelves', {
  ${settings}
  actions: { list: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})
`

const functions: Readonly<Record<string, string>> = {
  index: 'index: (_, { reply }) => reply.ok([]),',
  show: 'show: (_, { reply }) => reply.notFound(),',
  create: 'create: (_, { reply }) => reply.conflict(),',
  update: 'update: (_, { reply }) => reply.notFound(),',
  remove: 'remove: (_, { reply }) => reply.noContent(),',
}

/** A controller of the films, some functions of which are given. */
export const controllerWith = (given: Readonly<Record<string, string>>): string =>
  `export default controller(Films, {\n${Object.values({ ...functions, ...given })
    .map((text) => `  ${text}\n`)
    .join('')}})\n`

/** An application with these settings. */
export const applicationWith = (settings: string): string => `export default application({
  controllers: [filmsController],
  plugins: [mapper(), pagination()],
  verifiers: [verifier(Card, (nickname) => ({ nickname }))],
  ${settings}
})
`
