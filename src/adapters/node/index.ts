// The entry point edict/node: serving an application over node:http.
export { type ListenerOptions, listener, type RequestListener, type Served } from './listener.ts'
export type { ServeOptions, Timeouts } from './options.ts'
export { type Serving, serve } from './serve.ts'
