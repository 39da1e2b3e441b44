// The entry point edict/node: serving an application over node:http and node:http2, and mounting it in frameworks of Node.
export {
  type FastifyLike,
  type FastifyParser,
  type FastifyReplyLike,
  type FastifyRequestLike,
  fastifyPlugin,
} from './fastify.ts'
export { type ListenerOptions, listener, type RequestListener, type NodeApp } from './listener.ts'
export type { SecureOptions, ServeOptions, Timeouts } from './serve-options.ts'
export { type RunningServer, serve } from './serve.ts'
