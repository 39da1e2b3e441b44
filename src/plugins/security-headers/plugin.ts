// The plugin `securityHeaders`: static headers of every response, prepared at boot.
import { form, type Plugin, reportFlaws } from '../../extend.ts'

/** The headers of every response; `false` omits one. */
export interface SecurityHeaders {
  /**
   * `Content-Security-Policy`: what a browser may load for a response that it shows as a page.
   * @default `default-src 'none'; frame-ancestors 'none'`
   */
  readonly contentSecurityPolicy?: string | false
  /**
   * `Strict-Transport-Security`: browsers use HTTPS from now on. Browsers ignore it over HTTP.
   * @default `max-age=31536000; includeSubDomains`
   */
  readonly strictTransportSecurity?: string | false
  /**
   * `X-Content-Type-Options`: browsers do not guess the type of a body. edict also sends it without this plugin.
   * @default `nosniff`
   */
  readonly contentTypeOptions?: string | false
  /**
   * `X-Frame-Options`: no page may show a response in a frame.
   * @default `DENY`
   */
  readonly frameOptions?: string | false
  /**
   * `Referrer-Policy`: links in a response send no referrer.
   * @default `no-referrer`
   */
  readonly referrerPolicy?: string | false
  /**
   * `Cross-Origin-Resource-Policy`: pages of other origins cannot embed a response; it does not affect CORS.
   * @default `same-origin`
   */
  readonly crossOriginResourcePolicy?: string | false
  /**
   * `Cross-Origin-Opener-Policy`: a response shown as a page shares no browsing context with others.
   * @default `same-origin`
   */
  readonly crossOriginOpenerPolicy?: string | false
  /**
   * `Permissions-Policy`: the devices that a response shown as a page may use.
   * @default `camera=(), geolocation=(), microphone=()`
   */
  readonly permissionsPolicy?: string | false
  /**
   * `X-Permitted-Cross-Domain-Policies`: the Adobe documents that may load responses.
   * @default `none`
   */
  readonly permittedCrossDomainPolicies?: string | false
}

/** The headers with their defaults, by option. */
const DEFAULT_HEADERS: Readonly<Record<keyof SecurityHeaders, readonly [name: string, value: string]>> = {
  contentSecurityPolicy: ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  strictTransportSecurity: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  contentTypeOptions: ['X-Content-Type-Options', 'nosniff'],
  frameOptions: ['X-Frame-Options', 'DENY'],
  referrerPolicy: ['Referrer-Policy', 'no-referrer'],
  crossOriginResourcePolicy: ['Cross-Origin-Resource-Policy', 'same-origin'],
  crossOriginOpenerPolicy: ['Cross-Origin-Opener-Policy', 'same-origin'],
  permissionsPolicy: ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  permittedCrossDomainPolicies: ['X-Permitted-Cross-Domain-Policies', 'none'],
}

const VALUE_FORM = form.either(
  form.custom('a text that a header can carry', (value) => typeof value === 'string' && /^[\t\x20-\x7e]+$/.test(value)),
  form.choice(false),
)

const OPTION_NAMES = Object.keys(DEFAULT_HEADERS) as (keyof SecurityHeaders)[]

const FIELDS = Object.fromEntries(OPTION_NAMES.map((name) => [name, VALUE_FORM])) as form.Fields<SecurityHeaders>

/** Adds the headers that scanners expect of an API to every response. */
export function securityHeaders(options: SecurityHeaders = {}): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  return Object.freeze({
    name: 'security-headers',
    checkOptions: (report) => reportFlaws('securityHeaders', flaws, report),
    // An empty value removes the header that edict sends by default.
    responseHeaders: OPTION_NAMES.flatMap((name) => {
      const [header, defaultValue] = DEFAULT_HEADERS[name]
      return [header, value[name] === false ? '' : (value[name] ?? defaultValue)]
    }),
  } satisfies Plugin)
}
