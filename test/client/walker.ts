// A process that walks over a list and writes down each element with its place, until it is killed in the midst of it.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { client } from 'edict/client'
import { Books } from './shelf.ts'

const [baseUrl = '', file = '', items = '', limit = ''] = process.argv.slice(2)
const known = readFileSync(file, 'utf8')
// A line that was not written to its end was not written.
const whole = known.slice(0, known.lastIndexOf('\n') + 1)
writeFileSync(file, whole)
const from = whole.trimEnd().split('\n').at(-1)?.split(' ')[1] ?? ''
const api = client({ Books }, { baseUrl, headers: { Authorization: 'Bearer walker' } })
const walk = api.Books.index.all({ pagination: `by=id,items=${items}` }, { from })
let left = Number(limit)
for await (const { id } of walk) {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL')
  appendFileSync(file, `${id} ${walk.cursor}\n`)
}
