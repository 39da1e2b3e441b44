// Every place of a declaration with every setting, spoilt in every way: it is refused with words that name the place, or it
// means something. Nothing else happens.
import { type Application, DefinitionError } from 'edict'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { type Sink, sinks } from './declarations.ts'
import { type Edit, Editor, editsOf } from './edits.ts'
import { isMeaningful, namesPlace } from './meaningful.ts'

/** Each run tries another part of all edits. */
const STEP = runs(3, 1)
const UNREADABLE = /\[object|\bit is it\b|Cannot (?:read|convert)/

/** The problem with the answer to an edit; undefined when there is none. */
async function judged(sink: Sink, edit: Edit, throws: 'DefinitionError' | 'TypeError'): Promise<string | undefined> {
  let app: Application
  try {
    app = sink(new Editor(edit))
  } catch (error) {
    return refusal(error, edit, throws)
  }
  if (!isMeaningful(edit)) return 'it is accepted without a word'
  return answers(app)
}

function refusal(error: unknown, edit: Edit, throws: string): string | undefined {
  if (!(error instanceof Error)) return `it throws ${String(error)}`
  const isMistakes = error instanceof DefinitionError
  const isOwn = throws === 'TypeError' && error instanceof TypeError && /^(serve|mock): /.test(error.message)
  if (!isMistakes && !isOwn) return `it throws ${error.stack?.split('\n').slice(0, 4).join(' ')}`
  const { message } = error
  if (isMistakes && error.mistakes.some(({ setting, remedy }) => setting === '' || remedy === ''))
    return `a mistake has no place or no remedy: ${message}`
  if (UNREADABLE.test(message)) return `it cannot be read: ${message}`
  // The remedy of a misspelt name has the right one; all others name the place itself.
  const told = isMistakes ? error.mistakes.map(({ action, setting, problem }) => `${action} ${setting} ${problem}`) : []
  const named = edit.kind === 'misspell' || isOwn ? message : told.join('\n')
  // Arguments have no name that a message could use.
  return edit.of === 'argument' || namesPlace(named, edit.place) ? undefined : `it does not name its place: ${message}`
}

async function answers(app: Application): Promise<string | undefined> {
  try {
    for (const version of app.versions) app.openapi(version)
    const { status } = await app.fetch(new Request('http://api/'))
    return status < 500 ? undefined : `it answers with ${status}`
  } catch (error) {
    return `it boots, and then throws ${error instanceof Error ? error.stack?.split('\n').slice(0, 4).join(' ') : ''}`
  }
}

describe('a declaration that is spoilt anywhere', () => {
  it.each(Object.entries(sinks))(
    '[DEF-12] %s: is refused by name, or means something',
    async (name, sink) => {
      const whole = new Editor()
      expect(await answers(sink(whole))).toBeUndefined()
      const throws = name === 'mocks' || name === 'served' ? 'TypeError' : 'DefinitionError'
      const wrong: string[] = []
      const edits = editsOf(whole.places)
      for (let i = Math.floor(Math.random() * STEP); i < edits.length; i += STEP) {
        const edit = edits[i] as Edit
        const found = await judged(sink, edit, throws)
        if (found !== undefined) wrong.push(`${edit.place} ${edit.label}: ${found}`)
      }
      expect(wrong).toEqual([])
    },
    60_000,
  )
})
