// The corpus: every group of hostile cases.
import type { Group } from '../case.ts'
import { chunks } from './chunks.ts'
import { connections, slowness } from './connections.ts'
import { documents } from './documents.ts'
import { example } from './example.ts'
import { forms } from './forms.ts'
import { guards } from './guards.ts'
import { injections } from './injections.ts'
import { jsons } from './jsons.ts'
import { lists } from './lists.ts'
import { megabytes } from './megabytes.ts'
import { methods } from './methods.ts'
import { multiparts } from './multiparts.ts'
import { negotiations } from './negotiations.ts'
import { paths } from './paths.ts'
import { patterns } from './patterns.ts'
import { percent } from './percent.ts'
import { queries } from './queries.ts'
import { codingsOnTheWay, demands, linkedBack, others } from './seams.ts'
import { sizes } from './sizes.ts'
import { streams } from './streams.ts'
import { types } from './types.ts'
import { values } from './values.ts'
import { framing, lines } from './wires.ts'

/** Every group, in the order in which they run. */
export const corpus: readonly Group[] = [
  ...[percent, paths, queries, values, jsons, forms, multiparts, types, sizes, patterns],
  ...[lines, framing, chunks, connections, slowness, methods, injections, negotiations],
  ...[lists, example, documents, guards, megabytes, streams],
  ...[others, codingsOnTheWay, demands, linkedBack],
]
