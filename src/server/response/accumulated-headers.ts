// Headers that accumulate, in responses that policies and callbacks change: a value that is set is added to those before.
import type { ActionResponse } from '../../design/declare/action-response.ts'
import { isAccumulating } from './headers.ts'

/** The accumulating headers of a response at some time, with their values. */
export type AccumulatedHeaders = readonly (readonly [name: string, values: readonly string[]])[]

const NO_HEADERS: AccumulatedHeaders = []

/** Lists the accumulating headers of a response; what is no text is reported if it is sent. */
export function listAccumulated(response: ActionResponse | undefined): AccumulatedHeaders {
  if (response?.hasHeaders !== true) return NO_HEADERS
  return Object.entries(response.headers).flatMap(([name, value]) => {
    if (!isAccumulating(name.toLowerCase())) return []
    const values = [value].flat().filter((one) => typeof one === 'string')
    return values.length === 0 ? [] : [[name, values] as const]
  })
}

/** Adds the former values of headers that have been set again; headers that have been deleted stay deleted. */
export function restoreAccumulated(response: ActionResponse, former: AccumulatedHeaders): void {
  for (const [name, values] of former) {
    const current = response.hasHeaders ? response.headers[name] : undefined
    if (current === undefined) continue
    const all = [current].flat()
    // A callback may append to the text of a header, instead of to a list.
    const text = `, ${all.join(', ')}, `
    const lost = values.filter((one) => !text.includes(`, ${one}, `))
    if (lost.length > 0) response.headers[name] = [...new Set([...lost, ...all])]
  }
}

/** Returns the values of Vary in a response. */
export const listVary = (response: ActionResponse): readonly string[] =>
  listAccumulated(response).flatMap(([name, values]) => (name.toLowerCase() === 'vary' ? values : []))
