// Path patterns: compile, match, expand.

export { type CharSet, hasChar } from '../regexp/char-set.ts'
export { decodePath, isWellFormedPath, restoreSeparators } from './decode.ts'
export { encodeLiteral } from './encode.ts'
export { ExpandError, PatternError } from './errors.ts'
export { groupAlternatives, listCaptures, renameCaptures } from './path-template.ts'
export { compilePathPattern, readCapture, readParams, readSplat } from './pattern.ts'
export { type FormPiece, listForms, MAX_FORMS, type PatternForm } from './pattern-forms.ts'
export { isCaptureSegment, type PathSegments } from './segments.ts'
export { type CaptureNode, canBeEmpty, canContain, type PathNode, type WildcardNode } from './syntax/ast.ts'
export { charClasses } from './syntax/char-set.ts'
export { type CaptureConstraint, findCapture, listConstrainedNames } from './syntax/constraint.ts'
export type { ExpandArgs, PathPattern, PatternOptions, PatternParams } from './types.ts'
