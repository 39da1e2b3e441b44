// Normalizes the addresses of clients: one string for each client, in whatever notation a socket or a proxy reports it.

/**
 * Returns the network that an address counts for: an IPv4 address itself, the first 64 bits of IPv6, because a client
 * with one IPv6 address has 2^64 of them. Ports, brackets, zones and case are ignored. Undefined for an invalid address.
 */
export function parseNetwork(text: string): string | undefined {
  const address = stripPort(text)
  if (isIpv4(address)) return address
  const groups = parseIpv6Groups(address)
  if (groups === undefined) return undefined
  return (
    toMappedIpv4(groups) ??
    `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(':')}::/64`
  )
}

// Proxies write 192.0.2.1:4711, [2001:db8::1]:4711, fe80::1%eth0.
function stripPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, dotted] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  return (bracketed ?? dotted ?? text).replace(/%.*$/s, '')
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4_PATTERN = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)
const isIpv4 = (text: string): boolean => IPV4_PATTERN.test(text)

/** Parses the eight groups of an IPv6 address (RFC 4291, section 2.2). */
function parseIpv6Groups(address: string): readonly number[] | undefined {
  const halves = address.split('::')
  if (!address.includes(':') || halves.length > 2) return undefined
  const [before = [], after = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const texts = [...before, ...after]
  const last = texts.at(-1) ?? ''
  const tail = isIpv4(last) ? toHexGroups(last) : [last]
  const count = texts.length === 0 ? 0 : texts.length - 1 + tail.length
  if (halves.length === 1 ? count !== 8 : count > 7) return undefined
  const zeros = Array<string>(8 - count).fill('0')
  const all = [...before, ...zeros, ...after]
  if (texts.length > 0) all.splice(after.length > 0 ? -1 : before.length - 1, 1, ...tail)
  return all.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? all.map((group) => Number.parseInt(group, 16))
    : undefined
}

function toHexGroups(ipv4: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, as dual-stack sockets write it. */
function toMappedIpv4(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6)
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
