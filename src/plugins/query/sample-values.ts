// A sample value of each column kind, for statements that are built before their values are known.
import type { ColumnKind } from './query.ts'

export const SAMPLE_VALUES: Readonly<Partial<Record<ColumnKind, unknown>>> = {
  text: '',
  integer: 0,
  bigint: 0n,
  number: 0,
  decimal: '0',
  boolean: false,
  date: '2000-01-01',
  dateTime: new Date(0),
  time: '00:00:00',
}
