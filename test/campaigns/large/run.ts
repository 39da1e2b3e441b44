// `npm run campaign -- large`: a file of 200 MB by the client in both directions, or of as many as are given.
import { exchanged } from '../../client/large/measure.ts'

const megabytes = Number(process.argv[2] ?? 200)
const size = megabytes * 2 ** 20
const { kept, received, upload, download, grown } = await exchanged(megabytes)
const complete = Number(kept) === size && received === size && upload[0] === size && download[0] === size
console.log(
  `large: ${megabytes} MB each way, ${upload[1]} and ${download[1]} reports of progress, ${grown} MB more memory`,
)
if (!complete) console.error(`large: the server kept ${kept} bytes, the client received ${received}`)
process.exitCode = complete && grown < 24 ? 0 : 1
