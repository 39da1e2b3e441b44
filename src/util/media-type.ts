// Media types as texts: without their parameters, and which of them are JSON.

/** The content type of HTML forms. */
export const FORM_TYPE = 'application/x-www-form-urlencoded'
/** The content type of bodies with several parts, some of which may be files. */
export const MULTIPART_TYPE = 'multipart/form-data'

/** Returns a media type without its parameters, in lower case. */
export const getEssence = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

/** Returns whether a type or range without parameters is application/json or has the suffix +json. */
export const isJsonType = (essence: string): boolean => essence === 'application/json' || essence.endsWith('+json')
