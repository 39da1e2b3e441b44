// The side of tRPC in docs/migrating/trpc.md: it is compiled, not run.
const books = new Map([[1, { id: 1, title: 'Emma', year: 1815 }]])
interface Context {
  readonly reader: { readonly name: string } | undefined
}

// #region trpc
import { initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'

const t = initTRPC.context<Context>().create()
const authenticated = t.procedure.use(({ ctx, next }) => {
  if (ctx.reader === undefined) throw new TRPCError({ code: 'UNAUTHORIZED' })
  return next({ ctx: { reader: ctx.reader } })
})

export const appRouter = t.router({
  book: t.router({
    list: t.procedure
      .input(z.object({ since: z.number().int().optional() }))
      .query(({ input }) => [...books.values()].filter(({ year }) => year >= (input.since ?? 0))),
    byId: t.procedure.input(z.object({ id: z.number().int() })).query(({ input }) => {
      const book = books.get(input.id)
      if (book === undefined) throw new TRPCError({ code: 'NOT_FOUND' })
      return book
    }),
    add: authenticated
      .input(z.object({ title: z.string().min(1).max(100), year: z.number().int() }))
      .mutation(({ input, ctx }) => {
        const book = { id: books.size + 1, ...input }
        books.set(book.id, book)
        return { ...book, addedBy: ctx.reader.name }
      }),
  }),
})
export type AppRouter = typeof appRouter
// #endregion
