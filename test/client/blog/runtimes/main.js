// Node, Bun and Deno: the address is the first argument.
import { run } from './run.js'

const [baseUrl] = globalThis.Deno?.args ?? process.argv.slice(2)
console.log(JSON.stringify(await run(baseUrl, false)))
