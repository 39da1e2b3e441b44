// The corpus: every group of hostile cases.
import type { Group } from '../case.ts'
import { documents } from './apps/documents.ts'
import { example } from './apps/example.ts'
import { guards } from './apps/guards.ts'
import { chunks } from './bodies/chunks.ts'
import { forms } from './bodies/forms.ts'
import { jsons } from './bodies/jsons.ts'
import { megabytes } from './bodies/megabytes.ts'
import { multiparts } from './bodies/multiparts.ts'
import { streams } from './bodies/streams.ts'
import { types } from './bodies/types.ts'
import { connections, slowness } from './http/connections.ts'
import { injections } from './http/injections.ts'
import { methods } from './http/methods.ts'
import { negotiations } from './http/negotiations.ts'
import { paths } from './http/paths.ts'
import { patterns } from './http/patterns.ts'
import { percent } from './http/percent.ts'
import { queries } from './http/queries.ts'
import { codingsOnTheWay, demands, linkedBack, others } from './http/seams.ts'
import { sizes } from './http/sizes.ts'
import { values } from './http/values.ts'
import { framing, lines } from './http/wires.ts'
import { lists } from './lists/lists.ts'

/** Every group, in the order in which they run. */
export const corpus: readonly Group[] = [
  ...[percent, paths, queries, values, jsons, forms, multiparts, types, sizes, patterns],
  ...[lines, framing, chunks, connections, slowness, methods, injections, negotiations],
  ...[lists, example, documents, guards, megabytes, streams],
  ...[others, codingsOnTheWay, demands, linkedBack],
]
