// Decodes `+` and percent-encoding in names and values, without exceptions for invalid input.
import { getEscapeLength, readEscape } from './decode.ts'

const PERCENT = 37
const PLUS = 43
const SPACE = 32
// Joining pieces is the fastest way for short texts; for long ones it takes ten times as long as a pass over the bytes.
const SHORT_LENGTH = 100

/** Decodes `+` and percent-encoding; returns undefined if the result is not valid UTF-8. */
export function decodeText(text: string): string | undefined {
  return text.length <= SHORT_LENGTH ? decodePieces(text) : decodeBytes(text)
}

function decodePieces(text: string): string | undefined {
  let decoded = ''
  let copied = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === PLUS) {
      decoded += `${text.slice(copied, i)} `
      copied = i + 1
    } else if (code === PERCENT) {
      const point = readEscape(text, i)
      if (point < 0) return undefined
      decoded += text.slice(copied, i) + String.fromCodePoint(point)
      i += getEscapeLength(point) - 1
      copied = i + 1
    }
  }
  return copied === 0 ? text : decoded + text.slice(copied)
}

const encoder = new TextEncoder()
const decoder = globalThis.TextDecoder && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeBytes(text: string): string | undefined {
  const bytes = encoder.encode(text)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i] as number
    if (byte === PLUS) byte = SPACE
    else if (byte === PERCENT) {
      byte = readHexByte(bytes, i + 1)
      if (byte < 0) return undefined
      i += 2
    }
    bytes[length++] = byte
  }
  try {
    return decoder.decode(bytes.subarray(0, length))
  } catch {
    return undefined
  }
}

function readHexByte(bytes: Uint8Array, at: number): number {
  const high = readHexDigit(bytes[at])
  const low = readHexDigit(bytes[at + 1])
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function readHexDigit(byte = 0): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
