// The module that scripts/scalar.ts writes next to this file: the script of the documentation browser.

/** The script, compressed with gzip and encoded in base64. */
export declare const gzipped: string
