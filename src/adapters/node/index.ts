// The entry point edict/node: serves an application over node:http and node:http2, and mounts it in Node frameworks.
export {
  type FastifyLike,
  type FastifyParser,
  type FastifyReplyLike,
  type FastifyRequestLike,
  fastifyPlugin,
} from './fastify.ts'
export { type ListenerOptions, listener, type NodeApp, type RequestListener } from './listener.ts'
export { type RunningServer, serve } from './serve.ts'
export type { SecureOptions, ServeOptions, Timeouts } from './serve-options.ts'
