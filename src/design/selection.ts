// A selection of fields: which attributes of a media type a client wants, down to those of structures and related ones.

/** Wanted fields by their names; undefined below a name stands for everything that the attribute shows by itself. */
export interface Selection {
  readonly fields: ReadonlyMap<string, Selection | undefined>
}
