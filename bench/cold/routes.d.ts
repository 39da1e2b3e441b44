// The types of routes.js, which runs without a loader.

export const RESOURCES: number
export const ROUTES: number

/** Calls back for every route. */
export function eachRoute(callback: (a: number, b: number, takesPayload: boolean) => void): void

/** The bytes of a request for a route; a bad one has a text for an integer. */
export function requestFor(a: number, b: number, bad?: boolean): Buffer

/** Returns whether a response is the right one. */
export function isRight(a: number, b: number, body: string): boolean
