// The entry point edict/lambda: serves an application as an AWS Lambda function.
export type {
  LambdaContext,
  LambdaEvent,
  LambdaHead,
  LambdaResult,
  LambdaRuntime,
  LambdaStream,
} from './event.ts'
export { type LambdaApp, type LambdaOptions, lambdaHandler, lambdaStreamHandler } from './handler.ts'
