// Floating-point numbers with all their bits, which sessions and drivers might round.

/** Writes the expression that reads the bits of a `double precision` or a `real`, in PostgreSQL's binary format. */
export const selectFloatBits =
  (type: 'float8' | 'float4') =>
  (expression: string): string =>
    `encode(${type}send(${expression}), 'hex')`

const floatView = new DataView(new ArrayBuffer(8))

/** Parses the hexadecimal bits of a floating-point number. */
export function parseFloatBits(bits: unknown): number {
  const text = String(bits)
  floatView.setUint32(0, Number.parseInt(text.slice(0, 8), 16))
  if (text.length === 8) return floatView.getFloat32(0)
  floatView.setUint32(4, Number.parseInt(text.slice(8), 16))
  return floatView.getFloat64(0)
}

/** Returns the number with the fewest digits that rounds to the same FLOAT. */
export function toShortestFloat(raw: unknown): number {
  const float = Math.fround(Number(raw))
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return short
  }
  return Number(float.toPrecision(9))
}
