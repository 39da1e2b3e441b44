// Edits of declarations: one place of a declaration replaced by a wrong value, misspelt, or left out.

/** One change of a declaration. */
export interface Edit {
  readonly place: string
  readonly kind: 'replace' | 'misspell' | 'remove'
  readonly of: PlaceKind
  /** The inserted value, in words. */
  readonly label: string
  readonly value?: unknown
}

/** The kind of a place: an argument or an element, a setting of fixed name, or an entry of free name. */
type PlaceKind = 'argument' | 'setting' | 'entry'

const absent = Symbol('absent')

/** Notes the places of a declaration while it is made, and makes one edit at one of them. */
export class Editor {
  readonly places = new Map<string, PlaceKind>()
  readonly #edit: Edit | undefined

  constructor(edit?: Edit) {
    this.#edit = edit
  }

  /** An argument of a declaring function, or an element of a list. */
  argument<T>(place: string, value: T): T {
    this.places.set(place, 'argument')
    const edited = this.#at(place, value)
    return (edited === absent ? undefined : edited) as T
  }

  /** An object of settings with fixed names. */
  settings<T extends object>(place: string, object: T): T {
    return this.#object(place, object, 'setting')
  }

  /** An object whose names are free, such as attributes. */
  entries<T extends object>(place: string, object: T): T {
    return this.#object(place, object, 'entry')
  }

  #object<T extends object>(place: string, object: T, kind: PlaceKind): T {
    const made: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(object)) {
      const inner = `${place}.${key}`
      this.places.set(inner, kind)
      const edited = this.#at(inner, value)
      if (edited !== absent) made[key] = edited
      if (this.#edit?.kind === 'misspell' && this.#edit.place === inner) made[misspelt(key)] = value
    }
    return this.argument(place, made as T)
  }

  #at(place: string, value: unknown): unknown {
    if (this.#edit?.place !== place || this.#edit.kind === 'misspell') return value
    return this.#edit.kind === 'remove' ? absent : this.#edit.value
  }
}

/** A name with two neighbouring letters swapped. */
function misspelt(name: string): string {
  for (let i = 1; i + 1 < name.length; i++)
    if (name[i] !== name[i + 1]) return name.slice(0, i) + name[i + 1] + name[i] + name.slice(i + 2)
  return `${name}x`
}

/** Values that a user might write, by their words. */
const WRONG: readonly (readonly [label: string, value: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['true', true],
  ['false', false],
  ['0', 0],
  ['3', 3],
  ['-1', -1],
  ['1.5', 1.5],
  ['NaN', Number.NaN],
  ['empty text', ''],
  ['text', 'x'],
  ['empty list', []],
  ['list of null', [null]],
  ['list of text', ['x']],
  ['empty object', {}],
  ['object', { x: 1 }],
  ['function', () => {}],
  ['class', class Wrong {}],
  ['symbol', Symbol('wrong')],
  ['Number', Number],
  ['Date', new Date(0)],
  ['10n', 10n],
  ['RegExp', /x/],
  [
    'throwing',
    new Proxy(
      { x: 1 },
      {
        get: () => {
          throw new Error('do not read')
        },
      },
    ),
  ],
]

/** Every edit of the places that a declaration has. */
export function editsOf(places: ReadonlyMap<string, PlaceKind>): Edit[] {
  return [...places].flatMap(([place, of]): Edit[] => [
    ...WRONG.map(([label, value]) => ({ place, of, kind: 'replace' as const, label, value })),
    ...(of === 'argument' ? [] : [{ place, of, kind: 'remove' as const, label: 'removed' }]),
    ...(of === 'setting' ? [{ place, of, kind: 'misspell' as const, label: 'misspelt' }] : []),
  ])
}
