// Creates AWS Lambda handlers: an application is started once per container, and handles each event.
import { consoleLogger, guardLogger, type Logger } from '../../server/logger.ts'
import type { Handler } from '../../server/transport.ts'
import { runOnce } from '../../util/memoize.ts'
import { flag, integerFrom, validateSettings } from '../../util/setting-form.ts'
import type { LambdaContext, LambdaEvent, LambdaResult, LambdaRuntime } from './event.ts'
import { Deadline, LambdaRequest } from './lambda-request.ts'
import { LambdaTransport } from './lambda-transport.ts'

/** An application that an AWS Lambda function serves. */
export interface LambdaApp extends Handler {
  readonly logger?: Logger | undefined
  /** The prefix of every path of the application. */
  readonly basePath?: string | undefined
}

/** The options of an AWS Lambda handler. */
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

/** Creates an AWS Lambda handler for function URLs and API Gateway HTTP APIs. */
export function lambdaHandler(
  app: LambdaApp,
  options: LambdaOptions = {},
): (event: LambdaEvent, context: LambdaContext) => Promise<LambdaResult> {
  const lambda = new LambdaFunction(app, 'lambdaHandler', options)
  return async (event, context) => {
    const request = await lambda.beginRequest(event, context)
    try {
      return await request.toResult()
    } finally {
      request.finish()
    }
  }
}

/** Creates an AWS Lambda handler for function URLs with the invoke mode `RESPONSE_STREAM`, which streams responses. */
export function lambdaStreamHandler(
  app: LambdaApp,
  options: LambdaOptions = {},
): (event: LambdaEvent, context: LambdaContext) => Promise<void> {
  const lambda = new LambdaFunction(app, 'lambdaStreamHandler', options)
  const runtime = Reflect.get(globalThis, 'awslambda') as unknown as LambdaRuntime | undefined
  if (runtime === undefined)
    throw new TypeError(
      'lambdaStreamHandler: there is no global awslambda here: call it in the Node runtime of AWS Lambda, elsewhere lambdaHandler',
    )
  return runtime.streamifyResponse(async (event, stream, context) => {
    const request = await lambda.beginRequest(event, context)
    try {
      await request.streamTo(runtime, stream)
    } finally {
      request.finish()
    }
  })
}

/** The settings that all requests of a function share. */
class LambdaFunction {
  readonly app: LambdaApp
  readonly logger: Logger
  readonly #name: string
  readonly #options: LambdaOptions
  readonly #start: () => Promise<void>
  #hasWarned = false

  constructor(app: LambdaApp, name: string, options: LambdaOptions) {
    this.app = app
    this.logger = guardLogger(app.logger ?? consoleLogger)
    this.#name = name
    this.#start = runOnce(async () => app.start?.())
    this.#options = validateSettings(name, options, { stripStage: flag, margin: integerFrom(0) })
  }

  async beginRequest(event: LambdaEvent, context: LambdaContext): Promise<LambdaRequest> {
    // A warm container reuses the application that the first request started; a failed start is retried.
    await this.#start()
    if (event.version !== '2.0' || typeof event.rawPath !== 'string')
      throw new TypeError(
        `${this.#name}: the event is no request in payload format 2.0: use a function URL, or an HTTP API with that format`,
      )
    const { stripStage = false, margin = 500 } = this.#options
    if (!stripStage) this.#warnAboutStage(event)
    const deadline = new Deadline(context.getRemainingTimeInMillis() - margin)
    const transport = new LambdaTransport(event, deadline.controller.signal, stripStage)
    return new LambdaRequest(this.app, this.logger, deadline, transport)
  }

  // Without the stage in the base path, no route would match and links would be broken.
  #warnAboutStage({ rawPath, requestContext: { stage = '$default' } }: LambdaEvent): void {
    const prefix = `/${stage}`
    if (this.#hasWarned || stage === '$default' || !`${rawPath}/`.startsWith(`${prefix}/`)) return
    if (`${this.app.basePath ?? ''}/`.startsWith(`${prefix}/`)) return
    this.#hasWarned = true
    this.logger.warn(
      { stage, rawPath },
      `${this.#name}: paths begin with the stage: give application({ basePath: '${prefix}' }), or the option stripStage where clients do not see it`,
    )
  }
}
