// The browser is looked for in three places, in this order; what none of them has is told with a remedy.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findBrowser, unpackBrowser } from './browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-browser-'))
const placed = (name: string): string => {
  writeFileSync(join(folder, name), '')
  chmodSync(join(folder, name), 0o755)
  return join(folder, name)
}
const [named, chrome, chromium] = [placed('named'), placed('google-chrome'), placed('chromium')]
afterAll(() => rmSync(folder, { recursive: true }))

const find = (environment: Record<string, string>, machine = 'linux-x64', unpacked: string | undefined = '/unpacked') =>
  findBrowser({ environment, machine, unpack: () => unpacked })

it('is the one that CHROMIUM names, then that of the package, then that of the system', () => {
  expect(find({ CHROMIUM: named, PATH: folder })).toMatchObject({ executable: named, from: 'CHROMIUM' })
  expect(find({ CHROMIUM: '', PATH: folder })).toEqual({
    executable: '/unpacked/chromium',
    variables: { LD_LIBRARY_PATH: '/unpacked/lib', FONTCONFIG_PATH: '/unpacked' },
    from: 'npm',
  })
  const system = (machine: string) =>
    findBrowser({ environment: { PATH: folder }, machine, unpack: () => (machine === 'linux-x64' ? undefined : '/x') })
  for (const machine of ['linux-x64', 'linux-arm64'])
    expect(system(machine)).toMatchObject({ executable: chromium, from: 'PATH' })
  rmSync(chromium)
  expect(system('linux-x64')).toMatchObject({ executable: chrome, from: 'PATH' })
})

it('is missing only where none of the three has one, and the remedy is told', () => {
  expect(find({ PATH: '/nowhere' }, 'linux-arm64')).toEqual({
    missing: expect.stringMatching(/^no package of npm has one for linux-arm64, .*apt-get install chromium.*CHROMIUM/),
  })
  expect(findBrowser({ environment: {}, machine: 'linux-x64', unpack: () => undefined })).toEqual({
    missing: expect.stringContaining('npm ci'),
  })
})

it('is not looked for elsewhere when CHROMIUM names no program', () => {
  expect(() => find({ CHROMIUM: join(folder, 'none'), PATH: folder })).toThrow(/CHROMIUM names .*none.*Remedy/)
})

it('is unpacked from the package with the libraries and the font that it needs', { timeout: 120_000 }, () => {
  const home = unpackBrowser() as string
  const program = join(home, 'chromium')
  // ELF, for x86-64.
  const head = readFileSync(program).subarray(0, 20)
  expect([head.toString('latin1', 1, 4), head.readUInt16LE(18)]).toEqual(['ELF', 62])
  expect(statSync(program).mode & 0o111).toBe(0o111)
  for (const name of ['lib/libnss3.so', 'lib/libexpat.so.1', 'libGLESv2.so', 'fonts/Open_Sans/OpenSans-Regular.ttf']) {
    expect(statSync(join(home, name)).size).toBeGreaterThan(1000)
  }
  expect(readFileSync(join(home, 'fonts.conf'), 'utf8')).toContain(`<dir>${home}/fonts</dir>`)
  expect(unpackBrowser()).toBe(home)
})
