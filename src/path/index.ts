// Path patterns: compile, match, expand.

export { type CharSet, holds } from '../regexp/char-set.ts'
export { decodePath, isWellFormedPath, plainText } from './decode.ts'
export { encodeLiteral } from './encode.ts'
export { ExpandError, PatternError } from './errors.ts'
export { type Form, formsOf, MAX_FORMS, type Piece } from './forms.ts'
export { compilePattern, readParams, readSplat, readValue } from './pattern.ts'
export { isCapture, type PlainSegments } from './plain.ts'
export { type CaptureNode, canContain, isNullable, type Node, type WildcardNode } from './syntax/ast.ts'
export { charClasses } from './syntax/char-set.ts'
export { type Capture, captureOf, constrainedNames } from './syntax/constraint.ts'
export { capturesIn, groupAlternatives, renameCaptures } from './template.ts'
export type { ExpandArgs, Params, Pattern, PatternOptions } from './types.ts'
