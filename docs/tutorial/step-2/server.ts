// Step 2: books in a list of the process.
import { application, controller } from 'edict'
import { serve } from 'edict/node'
import { Books } from './design.ts'

const shelf: { id: number; title: string; year?: number | null }[] = [{ id: 1, title: 'Middlemarch', year: 1871 }]

// #region controller
const books = controller(Books, {
  show({ id }, { reply }) {
    const book = shelf.find((one) => one.id === id)
    return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
  },
  create(_, { request, reply, href }) {
    const book = { id: shelf.length + 1, ...request.payload }
    shelf.push(book)
    return reply.created(undefined, { location: href(Books, { id: book.id }) })
  },
})
// #endregion

const app = application({ title: 'Library', controllers: [books] })
const { url } = await serve(app)
console.log(`The library is at ${url}`)
