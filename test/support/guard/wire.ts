// Answers of servers that cannot be watched from inside, such as the package as it is published: judged where they arrive.
import { sink } from './sink.ts'
import type { Watched } from './watch.ts'

/** A `fetch` whose answers are held to the documents of the server that is asked. */
export const fetchFrom =
  (watched: Watched): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const answer = await fetch(request)
    const { pathname, search } = new URL(request.url)
    const text = await answer.clone().text()
    sink(watched, {
      method: request.method,
      url: pathname + search,
      version: request.headers.get('x-api-version') ?? undefined,
      status: answer.status,
      headers: [...answer.headers].flat(),
      body: text === '' && !answer.headers.has('content-type') ? null : text,
    })
    return answer
  }
