// The snippets of docs/guide/import.md: a document, imported by the command line, and the application that it becomes.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Application } from 'edict'
import type { Shown } from '../../scripts/snippets.ts'
import { exchange } from './support/http.ts'

const DOCUMENT = `openapi: 3.1.0
info: { title: Library, version: '1.0' }
servers: [{ url: https://library.example/api }]
paths:
  /books:
    get:
      tags: [Books]
      operationId: listBooks
      summary: The books on the shelf
      parameters:
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
      responses:
        '200':
          description: OK
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
  /books/{id}:
    get:
      tags: [Books]
      operationId: showBook
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, format: int64 } }
      responses:
        '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '404': { description: There is no such book. }
components:
  schemas:
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, format: int64 }
        title: { type: string, maxLength: 100, example: Emma }
        isbn: { type: [string, 'null'], pattern: '^[0-9]{13}$' }
        sequel: { $ref: '#/components/schemas/Book' }`

// Within the repository, so that the files import the sources.
const folder = resolve('.cache/guide-import')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'openapi.yml'), DOCUMENT)
const command = ['--import', import.meta.resolve('tsx'), resolve('src/cli/main.ts'), 'import', 'openapi.yml']
const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder })

const text = (file: string): string => readFileSync(join(folder, 'src', file), 'utf8')
const { app } = (await import(/* @vite-ignore */ join(folder, 'src/app.ts'))) as { readonly app: Application }

/** The texts that docs/guide/import.md shows. */
export const shown: Shown = {
  document: () => DOCUMENT,
  printed: () => stdout,
  files: () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && one.name !== 'openapi.yml')
      .map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
      .sort()
      .join('\n'),
  design: () => text('design/books.ts').slice(text('design/books.ts').indexOf('import')),
  controller: () => text('controllers/books.ts').slice(text('controllers/books.ts').indexOf('/** ')),
  'not-written': () => exchange(app, 'GET /api/books/7'),
}
