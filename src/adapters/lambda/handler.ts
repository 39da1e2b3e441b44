// Functions of AWS Lambda: an application is started once for a container, and answers each event.
import { consoleLogger, type Logger, safely } from '../../server/logger.ts'
import type { Handler } from '../../server/transport.ts'
import { flag, settled, whole } from '../../util/form.ts'
import { once } from '../../util/memo.ts'
import type { LambdaContext, LambdaEvent, LambdaResult, LambdaRuntime } from './event.ts'
import { Deadline, LambdaRequest } from './request.ts'
import { LambdaTransport } from './transport.ts'

/** An application that an AWS Lambda function serves. */
export interface LambdaServed extends Handler {
  readonly logger?: Logger | undefined
  /** Comes before every path of the application. */
  readonly basePath?: string | undefined
}

/** Options of an AWS Lambda handler. */
export interface LambdaOptions {
  /**
   * Removes the stage from the path, if a proxy hides it from clients; links then have no stage.
   * @default `false`
   */
  readonly stripStage?: boolean
  /**
   * Milliseconds before the function's own timeout at which a request gets 503 and its signal aborts.
   * @default 500
   */
  readonly margin?: number
}

/** Makes an AWS Lambda handler for function URLs and API Gateway HTTP APIs. */
export function lambdaHandler(
  app: LambdaServed,
  options: LambdaOptions = {},
): (event: LambdaEvent, context: LambdaContext) => Promise<LambdaResult> {
  const functions = new LambdaFunction(app, 'lambdaHandler', options)
  return async (event, context) => {
    const request = await functions.begin(event, context)
    try {
      return await request.result()
    } finally {
      request.end()
    }
  }
}

/** Makes an AWS Lambda handler for function URLs with the invoke mode `RESPONSE_STREAM`, which streams responses. */
export function lambdaStreamHandler(
  app: LambdaServed,
  options: LambdaOptions = {},
): (event: LambdaEvent, context: LambdaContext) => Promise<void> {
  const functions = new LambdaFunction(app, 'lambdaStreamHandler', options)
  const runtime = Reflect.get(globalThis, 'awslambda') as unknown as LambdaRuntime | undefined
  if (runtime === undefined)
    throw new TypeError(
      'lambdaStreamHandler: there is no global awslambda here: call it in the Node runtime of AWS Lambda, elsewhere lambdaHandler',
    )
  return runtime.streamifyResponse(async (event, stream, context) => {
    const request = await functions.begin(event, context)
    try {
      await request.stream(runtime, stream)
    } finally {
      request.end()
    }
  })
}

/** The settings that all requests of a function share. */
class LambdaFunction {
  readonly app: LambdaServed
  readonly logger: Logger
  readonly #name: string
  readonly #options: LambdaOptions
  readonly #start: () => Promise<void>
  #told = false

  constructor(app: LambdaServed, name: string, options: LambdaOptions) {
    this.app = app
    this.logger = safely(app.logger ?? consoleLogger)
    this.#name = name
    this.#start = once(async () => app.start?.())
    this.#options = settled(name, options, { stripStage: flag, margin: whole(0) })
  }

  async begin(event: LambdaEvent, context: LambdaContext): Promise<LambdaRequest> {
    // A warm container reuses the application that the first request started; a failed start is retried.
    await this.#start()
    if (event.version !== '2.0' || typeof event.rawPath !== 'string')
      throw new TypeError(
        `${this.#name}: the event is no request in payload format 2.0: use a function URL, or an HTTP API with that format`,
      )
    const { stripStage = false, margin = 500 } = this.#options
    if (!stripStage) this.#warn(event)
    const deadline = new Deadline(context.getRemainingTimeInMillis() - margin)
    const transport = new LambdaTransport(event, deadline.controller.signal, stripStage)
    return new LambdaRequest(this.app, this.logger, deadline, transport)
  }

  // Links without the stage would lead clients nowhere, and every path would be unknown.
  #warn({ rawPath, requestContext: { stage = '$default' } }: LambdaEvent): void {
    const prefix = `/${stage}`
    if (this.#told || stage === '$default' || !`${rawPath}/`.startsWith(`${prefix}/`)) return
    if (`${this.app.basePath ?? ''}/`.startsWith(`${prefix}/`)) return
    this.#told = true
    this.logger.warn(
      { stage, rawPath },
      `${this.#name}: paths begin with the stage: give application({ basePath: '${prefix}' }), or the option stripStage where clients do not see it`,
    )
  }
}
