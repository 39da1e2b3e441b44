// The release of Scalar in the documentation browser. scripts/scalar.ts downloads its script, which is not in the
// repository.

/** The package, the integrity of its archive, and the digest of its script. */
export const scalarRelease: Readonly<Record<'name' | 'version' | 'file' | 'integrity' | 'sha256', string>> = {
  name: '@scalar/api-reference',
  version: '1.72.1',
  file: 'package/dist/browser/standalone.js',
  integrity: 'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==',
  sha256: 'bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c',
}
