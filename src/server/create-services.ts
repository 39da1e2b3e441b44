// Creates the services of an application from its options at boot.
import { getMediaTypeIdentifier } from '../design/declare/action-response.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import { HrefError } from '../design/href.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import { describeValue } from '../util/describe-value.ts'
import { readEnvironment } from '../util/environment.ts'
import type { ApplicationOptions } from './application-options.ts'
import type { Boot } from './boot/boot.ts'
import { createViolationNotifier } from './failure/violations.ts'
import { consoleLogger, guardLogger } from './logger.ts'
import { OpenStreams } from './open-streams.ts'
import { PROBLEM_JSON } from './problem/problem.ts'
import { Redaction } from './redaction.ts'
import { overlayHeaders } from './response/headers.ts'
import { createProblemWriter } from './response/problem-encoder.ts'
import { createBodySampler, createIdSource, createSentIdReader, type Services } from './services.ts'

/** Returns whether an application has endpoints with a version. */
export const isVersioned = ({ endpoints }: Boot): boolean => endpoints.some(({ version }) => version !== undefined)

/** Creates the services that all requests of an application share. */
export function createServices(booted: Boot): Services {
  const { options, basePath, versionCarriers: carriers } = booted
  const versionHeader = isVersioned(booted) && carriers.includes('header')
  const environment = options.environment ?? readEnvironment()
  const validateResponses = options.validateResponses ?? (environment === 'production' ? 'sample' : 'always')
  const { header = 'X-Request-Id', trust = true } = options.requestId ?? {}
  const sentId = createSentIdReader(header, trust)
  const logger = guardLogger(options.logger ?? consoleLogger)
  const { encodeProblem } = options
  return Object.freeze({
    environment,
    logger,
    // Clients may still send secrets to actions that are no longer served.
    redaction: new Redaction(booted.declared, basePath),
    writeProblem: encodeProblem && createProblemWriter(encodeProblem, logger),
    problemType: encodeProblem === undefined ? PROBLEM_JSON : getMediaTypeIdentifier(encodeProblem.form),
    baseHeaders: overlayHeaders(
      ['X-Content-Type-Options', 'nosniff', ...(versionHeader ? ['Vary', 'X-Api-Version'] : [])],
      listPluginHeaders(options.plugins),
    ),
    validationStatus: options.validation?.status ?? 400,
    validateResponses,
    shouldCheckBody: createBodySampler(validateResponses),
    notifyViolation: createViolationNotifier(options.plugins ?? [], logger),
    deadline: options.timeout ?? 30_000,
    logRequests: options.logRequests ?? false,
    streams: new OpenStreams(),
    sentId,
    requestId: createIdSource(sentId),
    ...createHrefs(basePath, carriers),
  })
}

/** Returns the headers that plugins add to every response. */
export const listPluginHeaders = (plugins: ApplicationOptions['plugins'] = []): readonly string[] =>
  plugins.flatMap(({ responseHeaders = [] }) => responseHeaders)

function createHrefs(basePath: string, carriers: Boot['versionCarriers']): Pick<Services, 'href' | 'parseHref'> {
  // A link contains its version, so that clients can follow it without sending the version separately.
  const getAffixes = ({ spec: { version } }: AnyDefinition): readonly [before: string, after: string] => {
    if (version === undefined) return [basePath, '']
    if (carriers.includes('path')) return [`${basePath}/v${encodeURIComponent(version)}`, '']
    return [basePath, carriers.includes('query') ? `?${VERSION_PARAM}=${encodeURIComponent(version)}` : '']
  }
  return {
    href(endpoint, args) {
      const [before, after] = getAffixes(endpoint)
      return before + (endpoint as Definition).toHref(args) + after
    },
    parseHref(endpoint, href) {
      const [before, after] = getAffixes(endpoint)
      if (typeof href !== 'string' || !href.startsWith(before) || !href.endsWith(after))
        throw new HrefError(`${endpoint.name}: ${describeValue(href)} is not a path of the form ${before}…${after}`)
      const path = href.slice(before.length, href.length - after.length)
      return (endpoint as Definition).parseHref(path)
    },
  }
}
