// Defines the AWS Lambda events and results that edict uses: those of function URLs and of API Gateway HTTP APIs, both
// in payload format 2.0.

/** The event of a function URL or an HTTP API, in payload format 2.0. */
export interface LambdaEvent {
  readonly version: string
  readonly rawPath: string
  readonly rawQueryString: string
  /** The cookies, which are not among the headers. */
  readonly cookies?: readonly string[] | undefined
  /** Headers by lower-case name; several values of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: string | undefined
  readonly isBase64Encoded: boolean
  readonly requestContext: {
    readonly http: { readonly method: string; readonly path: string; readonly sourceIp: string }
    /** The stage of the API; `$default` for the stage without a prefix, and for function URLs. */
    readonly stage?: string | undefined
  }
}

/** The members of a function's context that edict uses. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number
}

/** A response in payload format 2.0. */
export interface LambdaResult {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly cookies?: string[]
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** The head of a streamed response. */
export interface LambdaHead {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly cookies?: string[]
}

/** The target of a streamed response: a Node stream. */
export interface LambdaStream {
  write(chunk: string | Uint8Array): boolean
  end(): unknown
  once(event: 'drain' | 'close' | 'error', listener: () => void): unknown
  destroy?(error?: Error): unknown
  readonly destroyed?: boolean
}

/** The global `awslambda` of Lambda's Node runtime. */
export interface LambdaRuntime {
  streamifyResponse(
    handler: (event: LambdaEvent, stream: LambdaStream, context: LambdaContext) => Promise<void>,
  ): (event: LambdaEvent, context: LambdaContext) => Promise<void>
  readonly HttpResponseStream: { from(stream: LambdaStream, head: LambdaHead): LambdaStream }
}
