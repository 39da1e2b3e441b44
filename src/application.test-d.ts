// Mistakes in an application's options that the compiler rejects.
import { describe, it } from 'vitest'
import { application } from './application.ts'
import { docs } from './plugins/docs/index.ts'

describe('the options of an application', () => {
  it('have no other names', () => {
    // @ts-expect-error: basePath
    application({ controllers: [], basepath: '/api' })
  })

  it('take plugins, not the functions that make them', () => {
    application({ controllers: [], plugins: [docs()] })
    // @ts-expect-error: docs()
    application({ controllers: [], plugins: [docs] })
  })
})
