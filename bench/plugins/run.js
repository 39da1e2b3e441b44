// `npm run bench -- plugins`: the instructions that each plugin for browsers and caches adds to one request, counted by valgrind.
import { fileURLToPath } from 'node:url'
import { canCount, countInstructions } from '../quick/instructions.js'

const STRETCHES = 6

if (canCount()) {
  const counts = await countInstructions(STRETCHES, fileURLToPath(new URL('./program.js', import.meta.url)))
  const { none } = counts
  console.log('| request | instructions | more than without |\n|---|---|---|')
  for (const [id, count] of Object.entries(counts)) {
    const more = id === 'none' ? '' : `${count - none} (${Math.round(((count - none) / none) * 100)} %)`
    console.log(`| ${id} | ${count} | ${more} |`)
  }
} else console.log('There is no valgrind here: nothing was counted.')
