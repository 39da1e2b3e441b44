// Describes an application: its OpenAPI documents and its contract.

import { buildContract } from '../contract/build-contract.ts'
import type { Contract } from '../contract/contract.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { buildOpenapiDocument, listDocumentedVersions, openapiVersions } from '../openapi/document.ts'
import type { ParamNote } from '../openapi/parameters.ts'
import type { OpenapiDocument, OpenapiOptions } from '../openapi/types.ts'
import { describeValue } from '../util/describe-value.ts'
import type { ApiDescription } from './application-options.ts'
import type { Boot } from './boot/boot.ts'
import type { CompileSettings } from './compile-action.ts'
import { describeProblems } from './response/problem-encoder.ts'

/** Creates the description of an application; documents are built on demand. */
export function describeApplication(booted: Boot, settings: CompileSettings): Omit<ApiDescription, 'phase' | 'fetch'> {
  const { options, basePath, endpoints, table } = booted
  return {
    title: options.title ?? 'API',
    description: options.description,
    basePath,
    servers: options.servers ?? [],
    endpoints,
    versions: listDocumentedVersions(table),
    openapi: (version, options) => describeVersion(booted, settings, version, options),
    contract: () => describeContract(booted, settings),
  }
}

function describeVersion(
  { options, basePath, versionCarriers: carriers, table }: Boot,
  { services: { validationStatus, environment } }: CompileSettings,
  version: string | undefined,
  { openapi = '3.1' }: OpenapiOptions = {},
): OpenapiDocument {
  if (!Object.hasOwn(openapiVersions, openapi)) {
    const known = Object.keys(openapiVersions).map((one) => `'${one}'`)
    throw new RangeError(`There are no documents in OpenAPI ${describeValue(openapi)}; give ${known.join(' or ')}`)
  }
  const versions = listDocumentedVersions(table)
  if (!versions.includes(version)) {
    const available = versions.map((one) => (one === undefined ? 'no version' : `'${one}'`)).join(', ')
    throw new RangeError(
      `There is no document of ${version === undefined ? 'endpoints without a version' : `the version '${version}'`}; there is: ${available}`,
    )
  }
  const { title = 'API', description, encodeProblem } = options
  const problems = encodeProblem && describeProblems(encodeProblem, environment)
  const notes = (action: ResolvedAction): Readonly<Record<string, ParamNote>> =>
    Object.assign({}, ...(options.plugins ?? []).map((plugin) => plugin.paramNotes?.(action, options)))
  const operation = (action: ResolvedAction): Readonly<Record<string, unknown>> =>
    mergeMembers((options.plugins ?? []).map((plugin) => plugin.operation?.(action, options) ?? {}))
  const members = Object.assign({}, ...(options.plugins ?? []).map((plugin) => plugin.document?.(options)))
  return buildOpenapiDocument(
    {
      openapi,
      title,
      description,
      metadata: options,
      basePath,
      table,
      carriers,
      validationStatus,
      problems,
      notes,
      operation,
      members,
    },
    version,
  )
}

// Several plugins may each add responses.
function mergeMembers(all: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> {
  const responses = Object.assign({}, ...all.map((one) => one['responses']))
  return Object.assign({}, ...all, Object.keys(responses).length > 0 && { responses })
}

function describeContract(
  { options, basePath, versionCarriers: carriers, endpoints }: Boot,
  { services, bodyLimit, queryPairs, queryDepth }: CompileSettings,
): Contract {
  const { title = 'API', description, ignore = [], plugins = [] } = options
  const terms = (action: ResolvedAction) =>
    Object.assign({}, ...plugins.map((plugin) => plugin.contract?.(action, options)))
  return buildContract({
    title,
    description,
    basePath,
    carriers,
    endpoints,
    validationStatus: services.validationStatus,
    problems: services.problemType,
    ignore,
    bodyLimit,
    queryPairs,
    queryDepth,
    terms,
  })
}
