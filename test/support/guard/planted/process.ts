// Asks the application in a process of its own.
import { broken } from './app.ts'

await broken.fetch(new Request('http://x/books/3'))
