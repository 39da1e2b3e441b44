// `node bench/lists/count.js`, after a build: the instructions of lists and writes without relations, counted by valgrind. Two
// commits are compared by running it in a worktree of each, at the same time.
import { fileURLToPath } from 'node:url'
import { canCount, countInstructions } from '../quick/instructions.js'

const STRETCHES = 3

if (canCount()) {
  const counts = await countInstructions(STRETCHES, fileURLToPath(new URL('./count-program.js', import.meta.url)))
  for (const [id, count] of Object.entries(counts)) console.log(`${id}: ${count}`)
} else console.log('There is no valgrind here: nothing was counted.')
