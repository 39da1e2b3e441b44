// Properties of client addresses: one client is one network, in any notation of its address.
import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { parseNetwork } from './client-network.ts'

const ipv4 = fc.ipV4()
const port = fc.integer({ min: 0, max: 65535 })
const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 })

const toHex = (group: number): string => group.toString(16)
const formatFull = (all: readonly number[]): string => all.map((group) => toHex(group).padStart(4, '0')).join(':')

/** Returns the address with its first run of zeros left out. */
const formatShort = (all: readonly number[]): string => {
  const from = all.indexOf(0)
  if (from < 0) return all.map(toHex).join(':')
  let to = from
  while (all[to] === 0) to++
  return `${all.slice(0, from).map(toHex).join(':')}::${all.slice(to).map(toHex).join(':')}`
}

/** Returns the address with its last 32 bits in IPv4 notation. */
const formatDotted = (all: readonly number[]): string => {
  const [high = 0, low = 0] = all.slice(6)
  return `${all.slice(0, 6).map(toHex).join(':')}:${[high >> 8, high & 255, low >> 8, low & 255].join('.')}`
}

const numRuns = runs(300, 20_000)

describe('one client is one network', () => {
  it('of IPv4, with and without a port, in brackets, and as IPv6', () => {
    fc.assert(
      fc.property(ipv4, port, (address, at) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const mapped = `${toHex(a * 256 + b)}:${toHex(c * 256 + d)}`
        const forms = [address, `${address}:${at}`, `[${address}]:${at}`, `::ffff:${address}`, `::FFFF:${mapped}`]
        forms.push(`[::ffff:${address}]:${at}`, `0:0:0:0:0:ffff:${address}`, `0000:0000:0000:0000:0000:FFFF:${mapped}`)
        for (const form of forms) expect(parseNetwork(form), form).toBe(address)
      }),
      { numRuns },
    )
  })

  it('of IPv6, short and long, with brackets, port and zone, in any letters; the last 64 bits are of the client', () => {
    fc.assert(
      fc.property(groups, groups, port, (all, others, at) => {
        fc.pre(!(all.slice(0, 5).every((one) => one === 0) && all[5] === 0xffff))
        const network = parseNetwork(formatFull(all))
        const forms = [formatShort(all), all.map(toHex).join(':'), formatDotted(all)]
        for (const form of forms.flatMap((one) => [
          one,
          one.toUpperCase(),
          `[${one}]`,
          `[${one}]:${at}`,
          `${one}%eth0`,
        ]))
          expect(parseNetwork(form), form).toBe(network)
        const other = [...all.slice(0, 4), ...others.slice(4)]
        if (!(other.slice(0, 5).every((one) => one === 0) && other[5] === 0xffff))
          expect(parseNetwork(formatFull(other))).toBe(network)
        const elsewhere = [...all.slice(0, 3), (all[3] as number) ^ 1, ...all.slice(4)]
        expect(parseNetwork(formatFull(elsewhere))).not.toBe(network)
      }),
      { numRuns },
    )
  })

  it('what Node takes for an address has a network, and other texts have none', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abf:.[]%g') }), ipv4, fc.ipV6())
    fc.assert(
      fc.property(text, (address) => {
        expect(parseNetwork(address) !== undefined, address).toBe(isAddress(address))
      }),
      { numRuns },
    )
  })
})

function isAddress(text: string): boolean {
  if (isIP(text.replace(/%.*$/s, '')) !== 0) return true
  const [, inner] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  if (inner !== undefined) return isIP(inner.replace(/%.*$/s, '')) !== 0
  const [, bare] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  return bare !== undefined && isIP(bare) === 4
}
