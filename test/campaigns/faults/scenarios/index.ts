// Every scenario, in the order in which they are run.
import type { Scenario } from '../scenario.ts'
import { clients } from './clients.ts'
import { database } from './database.ts'
import { deadline } from './deadline.ts'
import { durability } from './durability.ts'
import { errors } from './errors.ts'
import { overload } from './overload.ts'
import { shutdown } from './shutdown.ts'
import { soak } from './soak.ts'
import { crash, restart } from './workers.ts'

/** Every scenario. */
export const scenarios: readonly Scenario[] = [
  ...[shutdown, restart, crash],
  ...[clients, overload, deadline],
  ...[database, errors, durability, soak],
]
