// edict: serves its application, which is also measured without a server.
import { serve } from '../../dist/adapters/node/index.js'
import { app } from '../apps/edict.js'
import { answering } from '../contest.js'

const { port } = await serve(app, {
  port: 0,
  host: '127.0.0.1',
  signals: false,
  logger: { info() {}, warn() {}, error() {} },
})
answering(port)
