// A test of an application as Jest runs it, in modules.
import { application, endpoint, route } from 'edict'
import { checkApplication, testClient } from 'edict/testing'

const Books = endpoint('Books', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
const app = application({ controllers: [Books.implement({ show: () => 'Emma' })] })

test('a call in process', async () => {
  const answer = await testClient(app, { Books }).Books.show({})
  expect([answer.status, answer.body]).toEqual([200, 'Emma'])
})

test('the application keeps to its declarations', async () => {
  const { requests } = await checkApplication(app)
  expect(requests).toBeGreaterThan(0)
})
