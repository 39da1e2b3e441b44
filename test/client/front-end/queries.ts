// A front end with options of queries, entity tags and progress.
import { client, etags, progress } from 'edict/client'
import { infiniteQueryOptions, mutationOptions, queryOptions } from 'edict/tanstack-query'
import { Books } from './books.ts'

export function queries(baseUrl: string, report: () => void) {
  const { Books: books } = client({ Books }, { baseUrl, around: [etags(), progress(report)] })
  return [queryOptions(books.show, { id: 1 }), infiniteQueryOptions(books.index, {}), mutationOptions(books.create)]
}
