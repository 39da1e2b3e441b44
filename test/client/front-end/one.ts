// A front end with one endpoint.
import { client } from 'edict/client'
import { Books } from './books.ts'

export const href = (id: number): string => Books.toHref({ id })
export const api = (baseUrl: string) => client({ Books }, { baseUrl })
