// Features that tenants book: a request of a tenant without the feature is refused, and responses tell what is left of a trial.
// Written with nothing but the guide at hand.
import { type Plugin, t } from 'edict'
import { defineCodes, form, type Policy, policy, problem, reportFlaws } from 'edict/extend'

/** A tenant, and the moments at which its features end; those without an end are null. */
export interface Tenant {
  readonly id: string
  readonly features: Readonly<Record<string, Date | null>>
}

/** Settings of `featureGates`. */
export interface GateOptions {
  /** Finds the tenant of an id; undefined if there is none. */
  readonly find: (id: string) => Tenant | undefined | Promise<Tenant | undefined>
  /** The features that may be named. */
  readonly features: readonly string[]
  readonly now?: () => Date
}

const FIELDS: form.Fields<GateOptions> = {
  find: form.required(form.callable),
  features: form.required(form.list(form.name)),
  now: form.callable,
}

const codes = defineCodes('feature-gates', {
  failures: {
    'gate-not-booked': { status: 402, title: 'The feature is not booked' },
    'gate-unknown-tenant': { status: 403, title: 'The tenant is unknown' },
  },
})

const DAY = 86_400_000
const LEFT = Symbol('feature-gates')

/** Requires a feature of the tenant in `X-Tenant`, which the action gets as `tenant`. */
export const booked = (feature: string): Policy<{ readonly tenant: Tenant }> =>
  policy({
    name: 'booked',
    plugin: 'feature-gates',
    settings: feature,
    headers: { 'X-Tenant': t.string({ required: true, max: 40 }) },
    responses: Object.values(codes.failures),
    documentedHeaders: { 'X-Trial-Days': { description: 'Days until the feature ends.', schema: { type: 'integer' } } },
    document: () => ({ 'x-booked': feature }),
    terms: { feature: { means: feature } },
    mock: () => ({
      admission: (request) => request.add('tenant', { id: request.headers['x-tenant'], features: { [feature]: null } }),
    }),
  })

/** Enforces `booked`. */
export function featureGates(options: GateOptions): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  const { find, now = () => new Date() } = value
  return {
    name: 'feature-gates',
    codes,
    checkOptions: (report) => reportFlaws('featureGates', flaws, report),
    checkPolicy({ settings }, _, report) {
      if (!value.features?.includes(String(settings)))
        report(
          'policies',
          `booked names '${settings}', which is no feature`,
          `name one of ${value.features?.join(', ')}`,
        )
    },
    enforce: ({ settings }) => ({
      async admission(request) {
        const id = request.headers['x-tenant']
        // A missing or malformed header is refused when it is validated.
        if (typeof id !== 'string') return undefined
        const tenant = await find(id)
        if (tenant === undefined) return problem(codes.failures['gate-unknown-tenant'])
        const end = Object.hasOwn(tenant.features, String(settings)) ? tenant.features[String(settings)] : undefined
        const left = end === null ? Number.POSITIVE_INFINITY : (end?.getTime() ?? 0) - now().getTime()
        if (left <= 0) return problem({ ...codes.failures['gate-not-booked'], detail: `Book '${settings}' first.` })
        request.state[LEFT] = left
        return request.add('tenant', tenant)
      },
      response(response, { state }) {
        const left = state[LEFT]
        if (typeof left === 'number' && Number.isFinite(left))
          response.set('X-Trial-Days', String(Math.ceil(left / DAY)))
      },
    }),
  }
}
