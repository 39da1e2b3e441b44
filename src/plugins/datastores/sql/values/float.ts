// Floating point numbers with all their bits, whatever a session or a driver would round them to.

/** Reads the bits of a `double precision` or a `real`, as PostgreSQL sends them to other programs. */
export const selectFloatBits =
  (type: 'float8' | 'float4') =>
  (expression: string): string =>
    `encode(${type}send(${expression}), 'hex')`

const floatView = new DataView(new ArrayBuffer(8))

/** Gives the number of such bits. */
export function parseFloatBits(bits: unknown): number {
  const text = String(bits)
  floatView.setUint32(0, Number.parseInt(text.slice(0, 8), 16))
  if (text.length === 8) return floatView.getFloat32(0)
  floatView.setUint32(4, Number.parseInt(text.slice(8), 16))
  return floatView.getFloat64(0)
}

/** The shortest number that is the same when it has the digits of a FLOAT. */
export function toShortestFloat(raw: unknown): number {
  const float = Math.fround(Number(raw))
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return short
  }
  return Number(float.toPrecision(9))
}
