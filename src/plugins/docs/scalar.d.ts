// The module that scripts/scalar.ts writes beside this file: the script of the documentation browser.

/** The script, compressed with gzip, in base64. */
export declare const gzipped: string
