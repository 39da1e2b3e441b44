// Controllers: the functions that implement one endpoint's actions, with their callbacks, as immutable values.
import { isClass } from '../util/describe-value.ts'
import { callable } from '../util/setting-form.ts'
import {
  type AroundCallback,
  type Callback,
  type CallbackOptions,
  parseRegistration,
  type Registration,
  type Stage,
} from './callback.ts'
import type { CheckedImplementation, MediaMark, NoEndpoint } from './checked-implementation.ts'
import type { EndpointSpec } from './declare/endpoint.ts'
import type { AnyDefinition, Definition, DefinitionOf } from './definition.ts'
import type { ActionName } from './infer/inference.ts'
import { createReporter, DefinitionError, type DefinitionMistake, reportFlaws } from './mistakes.ts'

/** Adds a callback before or after the action stage or a named stage, for some or all actions. */
interface AddCallback<S extends EndpointSpec> {
  (callback: Callback<S>): Controller<S>
  (stage: Stage, callback: Callback<S>): Controller<S>
  <const N extends ActionName<S>>(options: CallbackOptions<N>, callback: Callback<S, N>): Controller<S>
  <const N extends ActionName<S>>(stage: Stage, options: CallbackOptions<N>, callback: Callback<S, N>): Controller<S>
}

/** Adds a callback around the action stage or a named stage, for some or all actions. */
interface AddAroundCallback<S extends EndpointSpec> {
  (callback: AroundCallback<S>): Controller<S>
  (stage: Stage, callback: AroundCallback<S>): Controller<S>
  <const N extends ActionName<S>>(options: CallbackOptions<N>, callback: AroundCallback<S, N>): Controller<S>
  <const N extends ActionName<S>>(
    stage: Stage,
    options: CallbackOptions<N>,
    callback: AroundCallback<S, N>,
  ): Controller<S>
}

/** The brand of a controller: the compiler reports it as missing before it prints the type of the argument. */
export interface ControllerMark {
  readonly '~controller': true
}

/** The members that every controller has. */
export interface AnyController extends ControllerMark {
  readonly definition: AnyDefinition
  readonly implementation: object
  readonly callbacks: readonly Registration[]
}

/** The implementation of one endpoint definition. */
export interface Controller<S extends EndpointSpec = EndpointSpec> extends Omit<AnyController, 'definition'> {
  readonly definition: Definition<string, S>
  readonly before: AddCallback<S>
  readonly after: AddCallback<S>
  readonly around: AddAroundCallback<S>
  /** Passes the controller to a function that adds shared behavior. */
  with<R>(behaviour: (controller: Controller<S>) => R): R
}

/**
 * Implements an endpoint's actions with an object of functions, or with a class that is instantiated for each request.
 */
export function controller<S extends EndpointSpec = NoEndpoint, I = never>(
  definition: DefinitionOf<S> | MediaMark,
  implementation: CheckedImplementation<S, I>,
): Controller<S> {
  // A parameter of type `Definition` would make the compiler compute all hrefs of the endpoint to compare them.
  return makeController(definition as AnyDefinition, implementation as object) as unknown as Controller<S>
}

/** Creates a controller without callbacks. */
export const makeController = (definition: AnyDefinition, implementation: object): Controller =>
  buildController(definition as Definition, implementation, [])

function buildController<S extends EndpointSpec>(
  definition: Definition<string, S>,
  implementation: object,
  callbacks: readonly Registration[],
): Controller<S> {
  const addCallback =
    (when: Registration['when']) =>
    (...args: readonly unknown[]) =>
      buildController(definition, implementation, [...callbacks, parseRegistration(when, args)])
  const created: Controller<S> = Object.freeze({
    '~controller': true as const,
    definition,
    implementation,
    callbacks,
    before: addCallback('before'),
    after: addCallback('after'),
    around: addCallback('around'),
    with: <R>(behaviour: (controller: Controller<S>) => R): R => {
      if (typeof behaviour !== 'function' || isClass(behaviour)) failOnBehaviour(definition.name, behaviour)
      return behaviour(created)
    },
  })
  return created
}

function failOnBehaviour(endpoint: string, behaviour: unknown): never {
  const mistakes: DefinitionMistake[] = []
  reportFlaws('with', callable.check(behaviour), createReporter(mistakes, endpoint))
  throw new DefinitionError(mistakes)
}
