// The code of the failure of compression.
import { type Codes, defineCodes } from '../../extend.ts'

/** Failures of requests that accept no available content coding. */
export const failures = {
  /**
   * `Accept-Encoding` rejects uncompressed bodies and all available codings.
   * @see docs/guide/compression.md
   */
  'no-acceptable-coding': { status: 406, title: 'No acceptable content coding' },
} as const

/** The codes of compression. */
export const codes: Codes<never, keyof typeof failures> = defineCodes('compression', { failures })
