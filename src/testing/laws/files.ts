// The law of files: a download returns the uploaded bytes.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, isAccessDenied, type Law } from '../check/law.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import type { TestResponse } from '../session/check-response.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import { hasVerb } from '../session/test-call.ts'
import type { Draw } from '../values/draw.ts'

interface FileCase {
  readonly put: TestCall
  readonly get: TestCall
  /** The download of another element's file. */
  readonly other: TestCall | undefined
}

/** Files are returned as they were sent. */
export const filesLaw: Law = defineLaw<FileCase>({
  name: 'files',
  description: 'A file that was put at a path is given back there, byte for byte, and is the file of no other element.',
  needs: 'a PUT of a file, and a GET at the same path',
  remedy: 'none, if the API stores no files',
  casesPerRound: 2,
  drawCase: drawFileCase,
  async run({ put, get, other }, session) {
    const before = other && (await session.sendValid(other))
    const { status } = await session.sendValid(put)
    if (status >= 300 || status === 202) throw new SkipCase('no file is kept')
    const response = await session.sendValid(get)
    if (isAccessDenied(response.status)) throw new SkipCase('it is for others')
    assertLaw(
      response.status === 200,
      'file-missing',
      () => `the file that was just sent is not there: ${response.status}`,
    )
    const file = findSoleFile(put.payload) as Blob
    if (response.type !== file.type) throw new SkipCase('it is converted')
    assertSameBytes(new Uint8Array(await file.arrayBuffer()), response)
    if (other === undefined || before === undefined) return
    const after = await session.sendValid(other)
    assertLaw(after.status === before.status && after.text === before.text, 'other-file', () => {
      return 'the file of another element has changed with the one that was sent'
    })
  },
  shrink: function* (one) {
    if (one.other !== undefined) yield { ...one, other: undefined }
    for (const put of shrinkCall(one.put)) yield { ...one, put }
  },
})

function assertSameBytes(sent: Uint8Array, { bytes }: TestResponse): void {
  assertLaw(
    bytes.length === sent.length,
    'file-size',
    () => `${sent.length} bytes were sent, but ${bytes.length} came back`,
  )
  const index = sent.findIndex((byte, i) => byte !== bytes[i])
  assertLaw(
    index < 0,
    'file-bytes',
    () => `byte ${index + 1} of the file was sent as ${sent[index]}, but is ${bytes[index]}`,
  )
}

function drawFileCase(subject: Subject, action: ResolvedAction, draw: Draw): FileCase | undefined {
  const download = hasVerb(action, 'PUT', 'POST') ? findDownloadAction(action) : undefined
  const put = download && drawCall(subject, action, draw, { bare: true })
  if (download === undefined || put === undefined || findSoleFile(put.payload) === undefined) return undefined
  const { principal, params } = put
  const names = action.routes[0]?.pattern.names ?? []
  const own = Object.fromEntries(names.map((name) => [name, params[name]]))
  const get = drawCall(subject, download, draw, { principal, bare: true, params: own })
  const other = drawCall(subject, download, draw, { principal, bare: true })
  const isOther = other !== undefined && names.some((name) => String(other.params[name]) !== String(own[name]))
  return get && { put, get, other: isOther ? other : undefined }
}

/** Returns the action that downloads bytes at the path of an upload. */
function findDownloadAction({ endpoint, routes }: ResolvedAction): ResolvedAction | undefined {
  const paths = new Set(routes.map(({ path }) => path))
  return [...endpoint.actions.values()].find((one) => {
    const bodies = [...one.responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
    const isBytes = bodies.length === 1 && bodies[0]?.attribute === undefined
    return isBytes && one.routes.some(({ verb, path }) => verb === 'GET' && paths.has(path))
  })
}

/** Returns the file of a payload that has exactly one. */
function findSoleFile(payload: unknown): Blob | undefined {
  const all = payload instanceof Blob ? [payload] : Object.values(Object(payload))
  const found = all.filter((one) => one instanceof Blob)
  return found.length === 1 ? (found[0] as Blob) : undefined
}
