// Disconnects peers that vanished without a word. Node cannot ask the system whether a peer still acknowledges what it is sent,
// and Linux itself gives up after about 15 minutes; it lists the retransmissions of each connection in /proc/net/tcp.
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'

/** The unanswered transmissions of each connection, by its key. */
type Transmissions = ReadonlyMap<string, number>

const canRead = process.platform === 'linux' && endianness() === 'LE'
const probed = new WeakSet<Socket>()
const tables = new Map<string, { readonly at: number; readonly table: Promise<Transmissions> }>()

/**
 * Disconnects a socket if its peer has not acknowledged anything after some milliseconds, provided that something has been
 * sent. A peer that reads nothing, but is there, stays. Has no effect on systems other than Linux.
 */
export function disconnectIfLost(socket: Socket, timeout: number): void {
  if (!canRead || probed.has(socket) || socket.destroyed) return
  probed.add(socket)
  const check = async (): Promise<void> => {
    const before = await delayAndCount(socket, timeout / 2)
    const after = before === 0 ? 0 : await delayAndCount(socket, timeout / 2)
    probed.delete(socket)
    // An acknowledgement sets the count back to 0.
    if (after > 0 && after >= before) socket.destroy()
  }
  check().catch(() => probed.delete(socket))
}

async function delayAndCount(socket: Socket, delay: number): Promise<number> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, delay).unref()
  })
  const { remoteAddress, remotePort, localPort } = socket
  // A socket that is closed has no addresses, and one of the file system has no ports.
  if (socket.destroyed || remoteAddress === undefined || remotePort === undefined || localPort === undefined) return 0
  const file = remoteAddress.includes(':') ? '/proc/net/tcp6' : '/proc/net/tcp'
  const table = await readTable(file, delay / 2)
  return table.get(`${toHex(localPort)} ${toTableAddress(remoteAddress)}:${toHex(remotePort)}`) ?? 0
}

// One reading serves all connections that are looked for within a moment.
function readTable(file: string, maxAge: number): Promise<Transmissions> {
  const now = performance.now()
  const known = tables.get(file)
  if (known !== undefined && now - known.at < maxAge) return known.table
  const table = readFile(file, 'latin1').then(parseTable)
  tables.set(file, { at: now, table })
  return table
}

/** The timer of data that is sent again. One packet may get lost. */
const RETRANSMIT_TIMER = { kind: '1', least: 2 }
/** The timer of a peer that has no space for data. One that is asked again and again need not reply each time. */
const WINDOW_TIMER = { kind: '4', least: 3 }

/** The place of a line's timer, behind the number of the line, for addresses of 4 and of 16 bytes. */
const [TIMER_AT, TIMER_AT_IPV6] = [51, 99]

/** Parses the table of connections: those that wait for an acknowledgement, with their unanswered transmissions. */
export function parseTable(text: string): Transmissions {
  const found = new Map<string, number>()
  let start = text.indexOf('\n') + 1
  // Of many thousand lines, few have one of these timers: the others are not split.
  for (let end = text.indexOf('\n', start); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
    const colon = text.indexOf(':', start)
    const at = colon + (text[colon + 10] === ':' ? TIMER_AT : TIMER_AT_IPV6)
    const kind = text[at + 1]
    if (kind !== RETRANSMIT_TIMER.kind && kind !== WINDOW_TIMER.kind) continue
    const [, local = '', remote = '', , , , retransmits = '0', , probes = '0'] = text
      .slice(start, end)
      .trim()
      .split(/\s+/)
    const isRetransmitting = kind === RETRANSMIT_TIMER.kind
    const count = isRetransmitting ? Number.parseInt(retransmits, 16) : Number(probes)
    const { least } = isRetransmitting ? RETRANSMIT_TIMER : WINDOW_TIMER
    if (count >= least) found.set(`${local.slice(local.indexOf(':') + 1)} ${remote}`, count)
  }
  return found
}

const toHex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

/** Formats an address as the table does: words of four bytes, each in the order of the machine. */
export function toTableAddress(address: string): string {
  const bytes = address.includes(':') ? parseIpv6(address) : address.split('.').map(Number)
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.slice(4 * i, 4 * i + 4).reverse())
  return words
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('')
}

function parseIpv6(address: string): number[] {
  const [plain = ''] = address.split('%', 1)
  const [head = [], tail] = plain.split('::').map(parseGroups)
  if (tail === undefined) return head
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail]
}

function parseGroups(groups: string): number[] {
  if (groups === '') return []
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}
