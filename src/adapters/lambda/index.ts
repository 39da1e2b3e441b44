// The entry point edict/lambda: an application as a function of AWS Lambda.
export type {
  LambdaContext,
  LambdaEvent,
  LambdaHead,
  LambdaResult,
  LambdaRuntime,
  LambdaStream,
} from './event.ts'
export { type LambdaOptions, type LambdaApp, lambdaHandler, lambdaStreamHandler } from './handler.ts'
