// Answers held to the JSON schemas of documents, by a validator of others.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenapiDocument } from 'edict'
import { operationsOf } from '../documents/requests.ts'
import type { Built, Served } from './build.ts'
import { broken } from './laws.ts'
import type { Reply } from './replies.ts'
import type { Answered, Sent } from './transports.ts'

/** Judges values by the schemas of one document. */
export class Judge {
  readonly #ajv: Ajv2020
  readonly #checks = new Map<string, ValidateFunction>()

  constructor(document: OpenapiDocument) {
    // Names such as `constructor` are there only when they were sent.
    this.#ajv = new Ajv2020({ strict: false, validateFormats: true, ownProperties: true })
    formats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'document', ...JSON.parse(JSON.stringify(document)) })
  }

  /** What is wrong with a value by the schema at a pointer; undefined when nothing is. */
  problemOf(pointer: string, value: unknown): string | undefined {
    const check =
      this.#checks.get(pointer) ??
      this.#ajv.getSchema(`document#${pointer.split('/').map(encodeURIComponent).join('/')}`)
    if (check === undefined) return 'there is no such schema'
    this.#checks.set(pointer, check)
    return check(value) === true ? undefined : this.#ajv.errorsText(check.errors)
  }
}

/** Holds answers to the schemas of an application's own documents. */
export class Schemas {
  readonly #built: Built
  readonly #judges = new Map<string | undefined, Judge>()
  readonly #pointers = new Map<string, string>()

  constructor(built: Built) {
    this.#built = built
  }

  /** The body fits the schema that the document has for it. */
  check(sent: Sent, { endpoint, action }: Served, { response }: Reply, answered: Answered): void {
    const type = answered.headers['content-type']
    if (type === undefined || !/json/.test(type)) return
    const [judge, at] = this.#placeOf(endpoint.version, `${endpoint.name}.${action.name}`)
    if (at === undefined) broken('Every action is in the document', sent, answered)
    const step = type.replaceAll('~', '~0').replaceAll('/', '~1')
    const pointer = `${at}/responses/${response.status}/content/${step}/schema`
    // A type of JSON that is not described has no schema.
    if (response.body.is === 'json') return
    const problem = judge.problemOf(pointer, JSON.parse(answered.body.toString()))
    if (problem !== undefined)
      broken('A body fits its schema in the document', sent, answered, `${pointer}: ${problem}`)
  }

  #placeOf(version: string | undefined, id: string): [Judge, string | undefined] {
    let judge = this.#judges.get(version)
    if (judge === undefined) {
      const document = this.#built.app.openapi(version)
      judge = new Judge(document)
      this.#judges.set(version, judge)
      for (const { path, verb, operation } of operationsOf(document)) {
        const name = operation.operationId.split('.').slice(0, 2).join('.')
        const step = path.replaceAll('~', '~0').replaceAll('/', '~1')
        if (!this.#pointers.has(`${version} ${name}`))
          this.#pointers.set(`${version} ${name}`, `/paths/${step}/${verb}`)
      }
    }
    return [judge, this.#pointers.get(`${version} ${id}`)]
  }
}
