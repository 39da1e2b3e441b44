// The same with two.
import { client } from 'edict/client'
import { Authors } from './authors.ts'
import { Books } from './books.ts'

export const href = (id: number): string => Books.toHref({ id })
export const api = (baseUrl: string) => client({ Books, Authors }, { baseUrl })
