// The services of an application, made from its options at boot.
import { identifierOf } from '../design/declare/response.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import { environmentOf } from '../util/environment.ts'
import { overlaid } from './answer/headers.ts'
import type { Boot } from './boot/boot.ts'
import { problemWriter } from './failure/encoder.ts'
import { PROBLEM_JSON } from './failure/problem.ts'
import { violationTeller } from './failure/violations.ts'
import { consoleLogger, safely } from './logger.ts'
import type { ApplicationOptions } from './options.ts'
import { Redaction } from './points/redaction.ts'
import { bodyChecks, requestIds, type Services, sentIds } from './services.ts'

/** Whether an application has endpoints with a version. */
export const isVersioned = ({ endpoints }: Boot): boolean => endpoints.some(({ version }) => version !== undefined)

/** Makes what all requests of an application share. */
export function servicesOf(booted: Boot): Services {
  const { options, basePath, carriers } = booted
  const versionHeader = isVersioned(booted) && carriers.includes('header')
  const environment = options.environment ?? environmentOf()
  const validateResponses = options.validateResponses ?? (environment === 'production' ? 'sample' : 'always')
  const { header = 'X-Request-Id', trust = true } = options.requestId ?? {}
  const sentId = sentIds(header, trust)
  const logger = safely(options.logger ?? consoleLogger)
  const { encodeProblem } = options
  return Object.freeze({
    environment,
    logger,
    redaction: new Redaction(booted.endpoints, basePath),
    writeProblem: encodeProblem && problemWriter(encodeProblem, logger),
    problemType: encodeProblem === undefined ? PROBLEM_JSON : identifierOf(encodeProblem.form),
    baseHeaders: overlaid(
      ['X-Content-Type-Options', 'nosniff', ...(versionHeader ? ['Vary', 'X-Api-Version'] : [])],
      pluginHeaders(options.plugins),
    ),
    validationStatus: options.validation?.status ?? 400,
    validateResponses,
    checksBody: bodyChecks(validateResponses),
    tellViolation: violationTeller(options.plugins ?? [], logger),
    deadline: options.timeout ?? 30_000,
    logRequests: options.logRequests ?? false,
    sentId,
    requestId: requestIds(sentId),
    href: hrefs(basePath, carriers),
  })
}

/** Headers that plugins give to every answer. */
export const pluginHeaders = (plugins: ApplicationOptions['plugins'] = []): readonly string[] =>
  plugins.flatMap(({ answerHeaders = [] }) => answerHeaders)

function hrefs(basePath: string, carriers: Boot['carriers']): Services['href'] {
  return (endpoint: AnyDefinition, args: never) => {
    const path = (endpoint as Definition).toHref(args)
    const { version } = endpoint.spec
    if (version === undefined) return basePath + path
    // A link carries its version, so that clients that follow it send nothing along.
    if (carriers.includes('path')) return `${basePath}/v${encodeURIComponent(version)}${path}`
    if (!carriers.includes('query')) return basePath + path
    return `${basePath}${path}?${VERSION_PARAM}=${encodeURIComponent(version)}`
  }
}
