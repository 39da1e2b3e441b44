// The release of Scalar that the documentation browser is made of. Its script is fetched by scripts/scalar.ts, never kept here.

/** The package, what the registry must give for it, and what its script must be. */
export const scalarRelease: Readonly<Record<'name' | 'version' | 'file' | 'integrity' | 'sha256', string>> = {
  name: '@scalar/api-reference',
  version: '1.72.1',
  file: 'package/dist/browser/standalone.js',
  integrity: 'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==',
  sha256: 'bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c',
}
