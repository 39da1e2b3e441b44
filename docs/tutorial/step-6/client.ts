// Step 6: a typed client, made of the design; it would run in a browser as well.
import { client } from 'edict/client'
import { Books } from './design.ts'

const baseUrl = process.argv[2] ?? 'http://localhost:3000'
const api = client({ Books }, { baseUrl, headers: { Authorization: 'Bearer 1815' } })

// Every element, page after page.
for await (const { title, year } of api.Books.index.all({ filters: 'year>=1900', order: 'year' }))
  console.log(`${year}: ${title}`)

const answer = await api.Books.show({ id: 99 })
// The compiler knows that there is a body here, and what is in it.
if (answer.name === 'ok') console.log(answer.body.title)
else if (answer.name === 'notFound') console.log('There is no such book.')
else console.log(`failed: ${answer.problem?.detail}`)
