// Names derived from the names of endpoints: server, client, documents, contracts, hrefs, imports and mocks all derive the same.
import { type AnyDefinition, type Application, application, endpoint, route, t } from 'edict'
import { client } from 'edict/client'
import { mock } from 'edict/mock'
import { afterAll, describe, expect, it } from 'vitest'
import { compiled, load, type Made, made, removed } from '../import/made.ts'
import { askFetch } from '../support/ask.ts'

// The name of an endpoint, its path and the param of its children.
const NAMES =
  `Statuses statuses status|Movies movies movie|Caches caches cache|Cookies cookies cookie|Series series series|
News news news|Heroes heroes hero|Aliases aliases alias|Addresses addresses address|Analyses analyses analysis|
Analytics analytics analytics|Archives archives archive|Axes axes axis|Bases bases base|Batches batches batch|
Boxes boxes box|Branches branches branch|Buses buses bus|Campuses campuses campus|Canvases canvases canvas|
Categories categories category|Children children child|Classes classes class|Companies companies company|
Courses courses course|Crises crises crisis|Criteria criteria criterion|Databases databases database|Data data data|
Diagnoses diagnoses diagnosis|Expenses expenses expense|Houses houses house|Indices indices index|Indexes indexes index|
Invoices invoices invoice|Keys keys key|Lenses lenses lens|Licenses licenses license|Lives lives life|Matches matches match|
Matrices matrices matrix|Mice mice mouse|Patches patches patch|People people person|Photos photos photo|
Policies policies policy|Prizes prizes prize|Processes processes process|Purchases purchases purchase|Queries queries query|
Quizzes quizzes quiz|Releases releases release|Responses responses response|Shelves shelves shelf|Shoes shoes shoe|
Species species species|Taxes taxes tax|Ties ties tie|Uses uses use|Vertices vertices vertex|Viruses viruses virus|
Volcanoes volcanoes volcano|Warehouses warehouses warehouse|Watches watches watch|Wives wives wife|Women women woman|
HTTPLogs http_logs http_log|HTTPStatuses http_statuses http_status|APIs apis api|APIKeys api_keys api_key|
UserIDs user_ids user_id|IPAddresses ip_addresses ip_address|URLs urls url|PDFs pdfs pdf|VPCs vpcs vpc|CPUs cpus cpu|
SKUs skus sku|FAQs faqs faq|DNSRecords dns_records dns_record|S3Buckets s3_buckets s3_bucket|ABTests ab_tests ab_test|
SMS sms sms|DNS dns dns|GPS gps gps|MyGPS my_gps my_gps|BlogPosts blog_posts blog_post|NewsItems news_items news_item|
SeriesMovies series_movies series_movie|X x x`
    .split('|')
    .map((line) => line.trim().split(' ') as [name: string, path: string, singular: string])

const show = { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } as const

interface Family {
  readonly app: Application
  readonly child: AnyDefinition & { parseHref(path: string): object; toHref(args: object): string }
}

function declare(name: string): Family {
  const parent = endpoint(name, { actions: { show } } as never) as AnyDefinition
  const child = endpoint('Parts', { parent, actions: { show } } as never) as never as Family['child']
  const implement = (one: AnyDefinition): never =>
    (one as never as { implement(of: object): never }).implement({ show: (params: object) => JSON.stringify(params) })
  return { app: application({ title: name, controllers: [implement(parent), implement(child)] }), child }
}

const folders: Made[] = []
afterAll(() => folders.forEach(removed))

describe('a name', () => {
  it.each(NAMES)(
    '[DEF-04] [PAR-03] %s is the path /%s and the param %s_id, everywhere',
    async (name, path, singular) => {
      const { app, child } = declare(name)
      const param = `${singular}_id`
      const args = { [param]: 7, id: 8 }
      const target = `/${path}/7/parts/8`
      expect((await askFetch(app, `GET ${target}`)).json).toEqual(args)
      expect(app.routes().map((one) => one.path)).toEqual([`/${path}/:id`, `/${path}/:${param}/parts/:id`])
      expect([child.toHref(args), child.parseHref(target)]).toEqual([target, args])
      const { paths } = app.openapi() as never as { paths: Record<string, { get: { parameters: { name: string }[] } }> }
      expect(paths[`/${path}/{${param}}/parts/{id}`]?.get.parameters.map((one) => one.name)).toEqual([param, 'id'])
      const fetch = (async (input: URL, init: RequestInit) => app.fetch(new Request(input, init))) as never
      const calls = client({ Parts: child }, { baseUrl: 'http://here', fetch }) as never as {
        readonly Parts: { show(params: object): Promise<{ readonly status: number; readonly body: string }> }
      }
      const { status, body } = await calls.Parts.show(args)
      expect([status, JSON.parse(body)]).toEqual([200, args])
      const mocked = mock(app)
      expect((await askFetch(mocked, `GET ${target}`)).status).not.toBe(404)
    },
  )

  it('imported from the document, all have the same paths and params', { timeout: 300_000 }, async () => {
    for (const [name] of NAMES.filter((_, i) => i % 12 === 0)) {
      const { app } = declare(name)
      const one = await made(JSON.stringify(app.openapi()), 'openapi.json')
      folders.push(one)
      const again = await load(one)
      expect(again.routes().map(({ verb, path }) => [verb, path])).toEqual(
        app.routes().map(({ verb, path }) => [verb, path]),
      )
    }
    expect(await compiled(folders.map(({ folder }) => folder))).toBe('')
  })
})
