// Assets: one copy of each form, however many clients request it at once.
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { chooseContent, loadScalarAsset } from './asset.ts'

it('the script is unpacked once: a client that requests it a thousand times does not fill the memory', async () => {
  const asset = await loadScalarAsset()
  const [first, second] = await Promise.all([chooseContent(asset, undefined), chooseContent(asset, 'identity')])
  expect(first.encoding).toBeUndefined()
  expect(second.body).toBe(first.body)
  const packed = await chooseContent(asset, 'gzip')
  expect(packed.encoding).toBe('gzip')
  expect(gunzipSync(packed.body).equals(first.body)).toBe(true)
})
