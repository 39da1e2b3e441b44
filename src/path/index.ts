// Path patterns: compile, match, expand.

export { type CharSet, hasChar } from '../regexp/char-set.ts'
export { decodePath, isWellFormedPath, restoreSeparators } from './decode.ts'
export { encodeLiteral } from './encode.ts'
export { ExpandError, PatternError } from './errors.ts'
export { type PatternForm, listForms, MAX_FORMS, type FormPiece } from './pattern-forms.ts'
export { compilePathPattern, readParams, readSplat, readCapture } from './pattern.ts'
export { isCaptureSegment, type PathSegments } from './segments.ts'
export { type CaptureNode, canContain, canBeEmpty, type PathNode, type WildcardNode } from './syntax/ast.ts'
export { charClasses } from './syntax/char-set.ts'
export { type CaptureConstraint, findCapture, listConstrainedNames } from './syntax/constraint.ts'
export { listCaptures, groupAlternatives, renameCaptures } from './path-template.ts'
export type { ExpandArgs, PatternParams, PathPattern, PatternOptions } from './types.ts'
