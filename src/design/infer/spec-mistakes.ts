// Mistakes in a declaration that the compiler detects: unknown settings, captures without a param, inherited attributes
// without a source, responses without a status.
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { InheritingStructure } from '../../schema/inherit.ts'
import type { Requirement } from '../../schema/requirements.ts'
import type { ActionSettings, ActionSpec, InputRules, PayloadReference } from '../declare/action.ts'
import type {
  AnyAttribute,
  AnyCollection,
  ResponseClass,
  ResponseSpec,
  ResponsesSpec,
} from '../declare/action-response.ts'
import type { EndpointSpec } from '../declare/endpoint.ts'
import type { FlatAttributes, HeirMistakes, MissingSources, MissingSourcesIn } from '../declare/inherited-attributes.ts'
import type { BuiltinResponse } from '../declare/status.ts'
import type { MistakenType } from '../mistakes.ts'
import type { PathParams, PrefixCaptures, RoutingParams } from './captures.ts'
import type { Default, MediaAttributes } from './inference.ts'

/**
 * The declaration S itself if it has no mistake. With unknown settings, a type with only the known ones: the compiler
 * then underlines the unknown one and suggests another. Only the condition may depend on S, because this is also the
 * contextual type of every expression within the declaration.
 */
export type CheckedSpec<S extends EndpointSpec> = [FoundMistakes<S>] extends [never]
  ? S
  : UnknownSetting extends FoundMistakes<S>
    ? EndpointSpec
    : OtherSettings

// The compiler names a mistake in its first line if the refusing type is a single type, not an intersection or a union.
// Therefore settings that can have mistakes are omitted from the type of the others.
interface OtherSettings extends Omit<EndpointSpec, 'mediaType' | 'canonicalPath' | 'actionDefaults' | 'actions'> {}

/**
 * Refuses captures without a param, inherited attributes without a source, responses without a status, and an unknown
 * canonical action.
 */
export type SpecMistakes<S extends EndpointSpec> = [FoundMistakes<S>] extends [never]
  ? InheritableNames<S['actions'], MediaAttributes<S>>
  : UnknownSetting extends FoundMistakes<S>
    ? unknown
    : SpecWithMistakes<S>

/**
 * The names of the media type's attributes A, at the positions where an action may inherit them: editors complete,
 * document and rename them there.
 */
interface InheritableNames<N, A> {
  readonly actions: { readonly [K in keyof N]: InheritablePayload<A> }
}

interface InheritablePayload<A> {
  readonly payload?: { readonly [K in keyof A]?: unknown } | object
  readonly [setting: string]: unknown
}

/** The result for an unknown setting, or for a declaration of unknown structure. */
type UnknownSetting = true

// Whether there is any mistake is determined first, for all of them at once.
type FoundMistakes<S extends EndpointSpec> =
  | (keyof S extends keyof EndpointSpec ? (string extends keyof S['actions'] ? UnknownSetting : never) : UnknownSetting)
  | (keyof S['actionDefaults'] extends keyof ActionSettings ? never : UnknownSetting)
  | ([MediaAttributes<S>] extends [Attributes] ? never : NoAttribute<MediaAttributes<S>>)
  | MistakenResponses<Default<S, 'responses'>>
  | UnknownCanonicalAction<S, S['actions']>
  | MistakesAmongActions<S['actions'], S, keyof Default<S, 'params'>, MediaAttributes<S>>
  | (S extends PrefixCaptures ? UndeclaredBelowPrefix<ActionsIn<S>, UndeclaredPrefixCaptures<S>> : never)
  | (S['actionDefaults'] extends WithRules ? UndeclaredDefaultRuleNames<S> : never)

// One check for all actions: if none can have the mistake, no search is needed.
type MistakesAmongActions<A, S extends EndpointSpec, D, M> =
  | (A extends WithoutInheritedParams ? never : MissingParamSourcesIn<ActionsIn<S>, M>)
  | (A extends WithSimpleResponses ? never : MisspeltResponsesIn<ActionsIn<S>>)
  | (A extends WithoutRules ? never : UndeclaredRuleNamesIn<ActionsIn<S>, S>)
  | MistakesInAction<ActionsIn<S>, D, M>

type ActionsIn<S extends EndpointSpec> = S['actions'][keyof S['actions']]

interface WithoutRules {
  readonly [name: string]: { readonly routing: unknown; readonly requires?: undefined }
}

interface WithRules {
  readonly requires: InputRules
}

interface WithoutInheritedParams {
  readonly [name: string]: { readonly routing: unknown; readonly params?: Attributes }
}

interface WithSimpleResponses {
  readonly [name: string]: {
    readonly routing: unknown
    readonly responses?: { readonly [name: string]: SimpleResponse }
  }
}

// Checks each action separately.
type MistakesInAction<A extends ActionSpec, D, M> = A extends never
  ? never
  :
      | (keyof A extends keyof ActionSpec ? never : UnknownSetting)
      | (keyof A['responses'] extends BuiltinResponse ? never : UnknownResponses<A['responses']>)
      | UndeclaredCaptures<A, D>
      | (A extends WithPayload ? MissingPayloadSources<A['payload'], M> : never)

interface WithPayload {
  readonly payload: unknown
}

type MissingParamSourcesIn<A extends ActionSpec, M> = A extends never ? never : MissingParamSources<A['params'], M>

type MisspeltResponsesIn<A extends ActionSpec> = A extends never ? never : MisspeltResponses<A['responses']>

// Most declarations are one of these, and cannot contain a misspelled setting.
type SimpleResponse = true | string | AnyAttribute | AnyCollection | ResponseClass | undefined

// --- responses -----------------------------------------------------------------------

type MistakenResponses<R> =
  | (R[keyof R] extends SimpleResponse ? never : MisspeltResponses<R>)
  | (keyof R extends BuiltinResponse ? never : UnknownResponses<R>)

type MisspeltResponses<R> = { [N in keyof R]: MisspeltResponse<R[N]> }[keyof R]

type MisspeltResponse<X> = X extends SimpleResponse
  ? never
  : keyof X extends keyof ResponseSpec
    ? never
    : UnknownSetting

/** The names in R that are not the name of a status. */
type UnknownResponses<R> = UnknownResponsesAmong<R, Exclude<keyof R, BuiltinResponse>>

type UnknownResponsesAmong<R, N extends keyof R> = N extends keyof R
  ? R[N] extends HasStatus
    ? never
    : LiteralName<N>
  : never

// A name of the type string is left to the boot check.
type LiteralName<N> = string extends N ? never : number extends N ? never : N

type HasStatus = { readonly status: number } | { readonly spec: unknown } | undefined

type UnknownResponseMistakes<R> = ResponsesSpec & {
  readonly [N in UnknownResponses<R>]: MistakenType<`${N & (string | number)} needs a status${Suggestion<`${N & (string | number)}`, BuiltinResponse>}`>
}

/** A suggestion with the names that begin like a text. */
type Suggestion<T extends string, Names extends string> = T extends `${infer A}${infer B}${infer C}${infer D}${string}`
  ? SuggestionText<
      Extract<Names, `${Lowercase<`${A}${B}${C}${D}`>}${string}`>,
      Extract<Names, EqualIgnoringCase<T, Names>>
    >
  : ''

type EqualIgnoringCase<T extends string, Names extends string> = Names extends string
  ? Lowercase<T> extends Lowercase<Names>
    ? Names
    : never
  : never

type SuggestionText<Near extends string, Alike extends string> = [Alike] extends [never]
  ? [Near] extends [never]
    ? ''
    : `; did you mean ${Near}?`
  : `; did you mean ${Alike}?`

// --- inconsistencies ---------------------------------------------------------------------

/** The names in A whose values are not attributes. */
type NoAttribute<A> = { [K in keyof A]: A[K] extends Attribute ? never : K }[keyof A]

type UnknownCanonicalAction<S, A> = S extends { readonly canonicalPath: infer C } ? Exclude<C, keyof A> : never

type UndeclaredCaptures<A extends ActionSpec, D> =
  RoutingParams<A['routing']> extends keyof A['params'] | D
    ? never
    : Exclude<RoutingParams<A['routing']>, keyof A['params'] | D>

/** The captures of an endpoint's prefix that its defaults do not declare. */
type UndeclaredPrefixCaptures<S extends EndpointSpec> = S extends PrefixCaptures
  ? Exclude<PathParams<S['prefix']>, keyof Default<S, 'params'>>
  : never

/** The captures C of a prefix that an action below it does not declare; lists of routes are left to the boot check. */
type UndeclaredBelowPrefix<A extends ActionSpec, C> = C extends string
  ? A extends { readonly routing: { readonly path: infer P } }
    ? P extends `//${string}`
      ? never
      : Exclude<C, keyof A['params']>
    : never
  : never

type MissingParamSources<X, M> = X extends Attributes ? never : MissingSources<X, M>

type MissingPayloadSources<X, M> = X extends Attribute | PayloadReference
  ? never
  : X[Exclude<keyof X, keyof M>] extends Attribute
    ? X extends FlatAttributes
      ? never
      : MissingSources<X, M>
    : X extends InheritingStructure
      ? MissingSourcesIn<X, M>
      : MissingSources<X, M>

// --- rules between undeclared attributes ---------------------------------------------------

type UndeclaredRuleNamesIn<A extends ActionSpec, S extends EndpointSpec> = A extends WithRules
  ? UndeclaredRuleNames<A, S>
  : never

/** The names in the rules of an action that neither it nor the defaults declare. */
type UndeclaredRuleNames<A extends ActionSpec, S extends EndpointSpec> =
  | Exclude<RuleNames<A['requires'], 'params'>, keyof A['params'] | keyof Default<S, 'params'> | ParentParamNames<S>>
  | Exclude<RuleNames<A['requires'], 'payload'>, PayloadNames<A['payload']> | PayloadNames<Default<S, 'payload'>>>

/** The names in the rules of the defaults that neither they nor any action declares. */
type UndeclaredDefaultRuleNames<S extends EndpointSpec> =
  | Exclude<
      RuleNames<NonNullable<S['actionDefaults']>['requires'], 'params'>,
      keyof Default<S, 'params'> | KeysOfObject<ActionsIn<S>['params']> | ParentParamNames<S>
    >
  | Exclude<
      RuleNames<NonNullable<S['actionDefaults']>['requires'], 'payload'>,
      PayloadNames<Default<S, 'payload'>> | PayloadNames<ActionsIn<S>['payload']>
    >

// The params of a parent are left to the boot check.
type ParentParamNames<S> = S extends { readonly parent: unknown } ? string : never

type RuleNames<R, K extends keyof InputRules> = R extends { readonly [P in K]: readonly Requirement<infer N>[] }
  ? LiteralName<N>
  : never

type KeysOfObject<X> = X extends object ? keyof X : never

type PayloadNames<X> = X extends Attribute
  ? keyof NonNullable<X['~type']>
  : X extends PayloadReference
    ? keyof X['attributes']
    : X extends InheritingStructure<infer E>
      ? keyof E
      : KeysOfObject<X>

type RulesOr<Spec, Names> = [Names] extends [never]
  ? Spec
  : MistakenType<`requires what is not declared: ${Names & string}`>

type SpecWithMistakes<S extends EndpointSpec> = {
  readonly mediaType?: [NoAttribute<MediaAttributes<S>>] extends [never]
    ? EndpointSpec['mediaType']
    : MistakenType<`not an attribute: ${NoAttribute<MediaAttributes<S>> & string}`>
  readonly canonicalPath?: [UnknownCanonicalAction<S, S['actions']>] extends [never]
    ? string
    : MistakenType<`there is no action ${UnknownCanonicalAction<S, S['actions']> & string}`>
  readonly actionDefaults?: Omit<ActionSettings, 'responses' | 'requires'> & {
    readonly responses?: UnknownResponseMistakes<Default<S, 'responses'>>
    readonly requires?: RulesOr<ActionSettings['requires'], UndeclaredDefaultRuleNames<S>>
  }
  readonly actions: ActionsWithMistakes<S['actions'], S, keyof Default<S, 'params'>, MediaAttributes<S>>
}

type ActionsWithMistakes<A extends EndpointSpec['actions'], S extends EndpointSpec, D, M> = {
  readonly [N in keyof A]: Omit<ActionSpec, 'routing' | 'params' | 'payload' | 'responses' | 'requires'> & {
    readonly requires?: RulesOr<ActionSpec['requires'], UndeclaredRuleNamesIn<A[N], S>>
    readonly routing: [UndeclaredCaptures<A[N], D> | UndeclaredBelowPrefix<A[N], UndeclaredPrefixCaptures<S>>] extends [
      never,
    ]
      ? ActionSpec['routing']
      : MistakenType<`declare in params: ${(UndeclaredCaptures<A[N], D> | UndeclaredBelowPrefix<A[N], UndeclaredPrefixCaptures<S>>) & string}`>
    readonly params?: A[N] extends { readonly params: infer X } ? HeirMistakes<X, M, NotInMedia> : ActionSpec['params']
    readonly payload?: A[N] extends { readonly payload: infer X } ? PayloadMistakes<X, M> : ActionSpec['payload']
    readonly responses?: UnknownResponseMistakes<A[N]['responses']>
  }
}

type NotInMedia = 'not an attribute of the media type'

type PayloadMistakes<X, M> = X extends Attribute | PayloadReference
  ? unknown
  : X extends InheritingStructure
    ? [MissingSourcesIn<X, M>] extends [never]
      ? unknown
      : MistakenType<`${NotInMedia}: ${MissingSourcesIn<X, M> & string}`>
    : HeirMistakes<X, M, NotInMedia>
