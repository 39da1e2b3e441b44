// Formats calls for the report: as curl commands and as calls of the client.
import type { Selection } from '../../design/fields/selection.ts'
import { getEssence, MULTIPART_TYPE } from '../../util/media-type.ts'
import { getActionName, type TestCall } from './test-call.ts'

/** Formats a request as a curl command. */
export async function formatCurl(request: Request): Promise<string> {
  const { pathname, search } = new URL(request.url)
  const parts = ['curl -i']
  if (request.method === 'HEAD') parts[0] = 'curl -I'
  else if (request.method !== 'GET') parts.push(`-X ${request.method}`)
  parts.push(quoteShell(`http://localhost:3000${pathname}${search}`))
  const type = getEssence(request.headers.get('Content-Type') ?? '')
  for (const [name, value] of request.headers)
    if (!(name === 'content-type' && type === MULTIPART_TYPE)) parts.push(`-H ${quoteShell(`${name}: ${value}`)}`)
  if (request.body === null) return parts.join(' ')
  if (type === MULTIPART_TYPE) return [...parts, ...(await formatFormParts(request))].join(' ')
  if (!isBinaryType(type)) return [...parts, `--data-raw ${quoteShell(await request.clone().text())}`].join(' ')
  const bytes = new Uint8Array(await request.clone().arrayBuffer())
  return `${formatPrintf(bytes)}${parts.join(' ')} --data-binary ${bytes.length > MAX_SHOWN_BYTES ? '@file' : '@-'}`
}

/** Larger bodies are not written out. */
const MAX_SHOWN_BYTES = 64

/** Returns whether bodies of a media type are binary. */
export const isBinaryType = (type: string): boolean =>
  type !== '' && !/^text\/|json|xml|x-www-form-urlencoded/.test(type)

const formatPrintf = (bytes: Uint8Array): string =>
  bytes.length > MAX_SHOWN_BYTES
    ? ''
    : `printf '${[...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}' | `

async function formatFormParts(request: Request): Promise<string[]> {
  // A form that cannot be parsed was sent as raw text.
  const form = await request
    .clone()
    .formData()
    .catch(() => undefined)
  if (form === undefined) return ['--form …']
  return [...form].map(([name, value]) => {
    const text = typeof value === 'string' ? value : `@${value.name};type=${value.type}`
    return `${typeof value === 'string' ? '--form-string' : '--form'} ${quoteShell(`${name}=${text}`)}`
  })
}

const quoteShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Formats a call of the client, even one that its types would reject. */
export function formatClientCall({
  action,
  params,
  headers,
  payload,
  body,
  method,
  link,
  rawHeaders: raw,
  verb,
}: TestCall): string {
  const options = {
    ...(payload !== undefined && body === undefined && { payload }),
    ...(body !== undefined && 'json' in body && { payload: body.json }),
    ...(verb !== undefined && { method: verb }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(raw !== undefined && { headers: { ...headers, ...raw } }),
  }
  const args = [formatLiteral(params), ...(Object.keys(options).length === 0 ? [] : [formatLiteral(options)])]
  const shown = args.length === 1 && args[0] === '{}' ? '' : args.join(', ')
  const isOther = method !== undefined || link !== undefined || (body !== undefined && 'text' in body)
  const note = isOther ? ' // the client has no call for exactly this' : ''
  return `await api.${getActionName(action)}(${shown})${note}`
}

/** Formats a value as a TypeScript literal. */
function formatLiteral(value: unknown): string {
  if (value instanceof Date) return `new Date('${Number.isNaN(value.getTime()) ? '' : value.toISOString()}')`
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Blob) return `new Blob(['…'], { type: '${value.type}' })`
  if (isSelection(value)) return formatLiteral(listSelectedPaths(value))
  if (Array.isArray(value)) return `[${value.map(formatLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([name, one]) => `${formatKey(name)}: ${formatLiteral(one)}`).join(', ')} }`
}

const formatKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const isSelection = (value: unknown): value is Selection =>
  typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map

/** Returns the paths of a selection in the client's notation. */
const listSelectedPaths = ({ fields }: Selection): string[] =>
  [...fields].flatMap(([name, below]) =>
    below === undefined ? [name] : listSelectedPaths(below).map((path) => `${name}.${path}`),
  )
