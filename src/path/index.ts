// Path patterns: compile, match, expand.

export { type CharSet, hasChar as holds } from '../regexp/char-set.ts'
export { decodePath, isWellFormedPath, restoreSeparators as plainText } from './decode.ts'
export { encodeLiteral } from './encode.ts'
export { ExpandError, PatternError } from './errors.ts'
export { type PatternForm as Form, listForms as formsOf, MAX_FORMS, type FormPiece as Piece } from './forms.ts'
export { compilePathPattern as compilePattern, readParams, readSplat, readCapture as readValue } from './pattern.ts'
export { isCaptureSegment as isCapture, type PathSegments as PlainSegments } from './plain.ts'
export { type CaptureNode, canContain, canBeEmpty as isNullable, type PathNode as Node, type WildcardNode } from './syntax/ast.ts'
export { charClasses } from './syntax/char-set.ts'
export { type CaptureConstraint as Capture, findCapture as captureOf, listConstrainedNames as constrainedNames } from './syntax/constraint.ts'
export { listCaptures as capturesIn, groupAlternatives, renameCaptures } from './template.ts'
export type { ExpandArgs, PatternParams as Params, PathPattern as Pattern, PatternOptions } from './types.ts'
