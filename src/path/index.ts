// Path patterns: compile, match, expand.
export { type CaptureNode, canContain, isNullable, type Node, type WildcardNode } from './ast.ts'
export { type CharSet, classes, holds } from './char-set.ts'
export { decodePath, isWellFormedPath, plainText } from './decode.ts'
export { ExpandError, PatternError } from './errors.ts'
export { type Form, formsOf, MAX_FORMS, type Piece } from './forms.ts'
export { compilePattern, readParams, readSplat, readValue } from './pattern.ts'
export { groupAlternatives, renameCaptures } from './source.ts'
export type { ExpandArgs, Params, Pattern, PatternOptions } from './types.ts'
